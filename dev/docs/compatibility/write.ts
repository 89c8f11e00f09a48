import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { compatibilityEntries } from './entries';
import { compatibilityPage } from './page';
import { scenarioCoverage } from './scenarios';

/** Where the page lies. */
export const pagePath = resolve(__dirname, '../../../docs/compatibility.md');

/** The page as it should be. */
export const currentPage = (): string =>
  compatibilityPage(compatibilityEntries(), scenarioCoverage());

/** The page as it lies there. */
export const writtenPage = (): string => readFileSync(pagePath, 'utf8');

if (require.main === module) writeFileSync(pagePath, currentPage());
