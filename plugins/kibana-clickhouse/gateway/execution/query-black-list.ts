import type { ExecutionContext } from '../../clickhouse/execution/executor';
import { blackListed } from '../../common/errors/catalogue';
import type { BlackList } from '../../metadata/black-list/black-list';
import type { Interceptor } from './interceptor';

/**
 * Refuses the statements of a search that an entry of the query blacklist matches. All statements of a
 * search carry the same fingerprint and range, so none of them runs.
 */
export const blackListRefused =
  (blackList: BlackList): Interceptor =>
  (next) => {
    const check = async ({ search }: ExecutionContext): Promise<void> => {
      if (!search) return;
      const entry = await blackList.match(search);
      if (entry) throw blackListed(entry);
    };
    return {
      rows: async (statement, context) => {
        await check(context);
        return next.rows(statement, context);
      },
      lines: async (statement, context) => {
        await check(context);
        return next.lines(statement, context);
      },
    };
  };
