import type { Packed } from '../plugin-server/rpc';
import { clientAndRouterFunctions } from './client-router';
import type { PdkScope, PdkTable } from './function';
import { logFunctions } from './log';
import { nginxFunctions } from './nginx';
import { requestFunctions } from './request';
import { responseFunctions } from './response';
import { serviceFunctions } from './service';

const FUNCTIONS: PdkTable = {
  ...nginxFunctions,
  ...requestFunctions,
  ...serviceFunctions,
  ...clientAndRouterFunctions,
  ...responseFunctions,
  ...logFunctions,
};

/**
 * Calls a PDK function by its name on the wire. As in Kong an unknown name is logged and gives nil;
 * LuaError is what raises in Lua, ExitSignal an answer.
 */
export function callPdk(scope: PdkScope, name: string, args: readonly Packed[]): Packed {
  const found = Object.hasOwn(FUNCTIONS, name) ? FUNCTIONS[name] : undefined;
  if (found === undefined) {
    scope.log.line('error', `could not find pdk method: ${name}`);
    return null;
  }
  return found(scope, args);
}
