import type { Exit } from '../exchange';
import type { Packed } from '../plugin-server/rpc';
import { errorExit, MESSAGES } from '../proxy/answers';
import { HeaderList } from '../proxy/header-list';
import { ExitSignal, type PdkTable } from './function';
import {
  headerTable,
  headerValues,
  isPackedRecord,
  LuaError,
  luaString,
  stringArgument,
} from './lua-value';

/** A value as cjson writes a Lua table: nulls are gone, an empty array is an empty table. */
function throughLua(value: Packed): unknown {
  if (Array.isArray(value)) {
    return value.length === 0 ? {} : value.map((one: Packed) => throughLua(one));
  }
  if (!isPackedRecord(value)) return value instanceof Uint8Array ? luaString(value) : value;
  const kept = Object.entries(value).filter(([, one]) => one !== null && one !== undefined);
  return Object.fromEntries(kept.map(([name, one]) => [name, throughLua(one)]));
}

function bodyOf(body: Packed, headers: HeaderList): Buffer {
  if (body === null || body === undefined) return Buffer.alloc(0);
  if (body instanceof Uint8Array) return Buffer.from(body);
  if (typeof body === 'string') return Buffer.from(body);
  if (typeof body !== 'object') {
    throw new LuaError('body must be a nil, string or table');
  }
  headers.set('Content-Type', 'application/json; charset=utf-8');
  return Buffer.from(JSON.stringify(throughLua(body)));
}

function status(code: Packed): number {
  if (typeof code !== 'number') throw new LuaError('code must be a number');
  if (code < 100 || code > 599) throw new LuaError('code must be a number between 100 and 599');
  return Math.floor(code);
}

function headersOf(given: Packed): HeaderList {
  const headers = new HeaderList();
  if (given === null || given === undefined) return headers;
  for (const [name, values] of headerTable(given)) headers.set(name, values);
  return headers;
}

/** `kong.response`: the answer, or headers of an answer that someone else gives. */
export const responseFunctions: PdkTable = {
  'kong.response.exit': (_scope, [code, body, headers]) => {
    const list = headersOf(headers);
    const exit: Exit = { status: status(code), headers: list, body: bodyOf(body, list) };
    throw new ExitSignal(exit);
  },
  'kong.response.error': ({ exchange }, [code, message, headers]) => {
    const known = status(code) as keyof typeof MESSAGES;
    const text = luaString(message) ?? MESSAGES[known];
    const exit = errorExit(known, exchange.id, text);
    for (const [name, value] of headersOf(headers).lines) exit.headers.add(name, value);
    throw new ExitSignal(exit);
  },
  'kong.response.set_header': ({ exchange }, [name, value]) => {
    const text = stringArgument(name, 'header');
    exchange.responseHeaders.set(text, headerValues(value, text));
    return null;
  },
  'kong.response.set_headers': ({ exchange }, [headers]) => {
    for (const [name, values] of headerTable(headers)) exchange.responseHeaders.set(name, values);
    return null;
  },
  'kong.response.add_header': ({ exchange }, [name, value]) => {
    const text = stringArgument(name, 'header');
    for (const one of headerValues(value, text)) exchange.responseHeaders.add(text, one);
    return null;
  },
  'kong.response.clear_header': ({ exchange }, [name]) => {
    exchange.responseHeaders.delete(stringArgument(name, 'header'));
    return null;
  },
};
