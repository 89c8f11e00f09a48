import { execFile } from 'node:child_process';
import {
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../../../plugins/kibana-clickhouse/common/json/json';
import { type FieldSchema, unknownSchemaParts } from '../schema/field';
import type { ServerCommand } from './command';

/** A plugin as a plugin server's dump describes it. */
export interface DumpedPlugin {
  readonly name: string;
  readonly version?: string;
  readonly priority: number;
  readonly config: Pick<FieldSchema, 'fields'>;
}

/** What kong-pdk prints of a plugin (`GetPluginInfo` of its server.js). */
interface Dumped {
  readonly Name: string;
  readonly Version?: string;
  readonly Priority: number;
  readonly Phases: readonly string[];
  readonly Schema: { readonly fields: readonly { readonly config?: FieldSchema }[] };
}

const DUMP_LIMIT_MS = 30_000;

function printed(command: ServerCommand): Promise<string> {
  return new Promise((resolve, reject) => {
    const { file, args, env, cwd } = command;
    const options = { env: { ...env }, cwd, timeout: DUMP_LIMIT_MS, maxBuffer: 64 * 1024 * 1024 };
    execFile(file, args, options, (error, stdout, stderr) => {
      if (error === null) resolve(stdout);
      else reject(new Error(`the plugin server's dump failed: ${error.message}\n${stderr}`));
    });
  });
}

function parsed(output: string): JsonValue {
  try {
    return JSON.parse(output) as JsonValue;
  } catch {
    const start = JSON.stringify(output.slice(0, 200));
    throw new Error(
      `failed decoding plugin info: stdout must be pure JSON, it starts with ${start}`,
    );
  }
}

function described(plugin: JsonObject): DumpedPlugin {
  const { Name: name, Phases: phases, Version: version } = plugin as unknown as Dumped;
  const others = phases.filter((phase) => phase !== 'access');
  if (others.length > 0) {
    const list = others.join(', ');
    throw new Error(`plugin ${name}: the local gateway runs only the phase access, not ${list}`);
  }
  const { Schema: schema, Priority: priority } = plugin as unknown as Dumped;
  const config = schema.fields.find((field) => field.config !== undefined)?.config;
  const fields = { type: 'record', fields: config?.fields ?? [] } as const;
  const unknown = unknownSchemaParts(fields, `schema of ${name}: config`);
  if (unknown.length > 0) throw new Error(unknown.join('\n'));
  return {
    name,
    priority,
    config: fields,
    ...(version === undefined ? {} : { version }),
  };
}

/**
 * Runs `query_cmd` and gives the plugin that Kong would use: since 3.9 only the first of the dump
 * (`plugin_servers/process.lua`). Rejects when the command fails or hangs, prints anything but JSON,
 * names no plugin, or describes what the local gateway cannot check.
 */
export async function dumpPlugin(command: ServerCommand): Promise<DumpedPlugin> {
  const dump = parsed(await printed(command));
  const first = isJsonArray(dump) ? dump[0] : undefined;
  if (!isJsonObject(first)) throw new Error('the plugin server found no plugin in its directory');
  return described(first);
}
