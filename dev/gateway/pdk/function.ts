import type { Exchange, Exit } from '../exchange';
import type { Log } from '../log';
import type { Packed } from '../plugin-server/rpc';

/** What a PDK function has at hand: the request and the log. */
export interface PdkScope {
  readonly exchange: Exchange;
  readonly log: Log;
}

/**
 * One PDK function: takes what the plugin passed and gives what Lua would return first (a `nil, err`
 * is null, because Kong 3.9's mp_rpc.lua keeps the first value alone). Raises by LuaError.
 */
export type PdkFunction = (scope: PdkScope, args: readonly Packed[]) => Packed;

/** PDK functions by the name that arrives: snake_case, from `kong.` on. */
export type PdkTable = Readonly<Record<string, PdkFunction>>;

/** `kong.response.exit` and `.error` never come back to the plugin: this carries their answer. */
export class ExitSignal extends Error {
  override readonly name = 'ExitSignal';
  readonly exit: Exit;

  constructor(exit: Exit) {
    super('the plugin has answered');
    this.exit = exit;
  }
}
