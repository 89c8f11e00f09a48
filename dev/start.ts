import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { bindablePort } from './clickhouse/free-port';
import { overrideDeclarativeConfig, readDeclarativeConfig } from './gateway/declarative';
import { startGateway } from './gateway/gateway';
import { demoProbe, exampleRequests } from './start/examples';
import { reasonOf, StartFailure } from './start/failure';
import { Lifetime } from './start/lifetime';
import { note } from './start/note';
import { helpText, readOptions, type StartOptions, UsageError } from './start/options';
import { planOverrides } from './start/overrides';
import { untilAnswered } from './start/ready';
import { openSettingsHome, type SettingsHome } from './start/settings-home';
import { type EmbeddedStore, fillStore, startStore, tableNames } from './start/store';

const root = resolve(__dirname, '..');
const pluginsDirectory = resolve(root, 'dist/plugins');

/** Starts the embedded ClickHouse unless another is named; its end is the end of everything. */
async function openStore(
  options: StartOptions,
  lifetime: Lifetime,
): Promise<EmbeddedStore | undefined> {
  if (options.clickHouse !== undefined) return undefined;
  const store = await startStore(options);
  lifetime.add(() => store.clickHouse.close());
  void store.clickHouse.ended.then((reason) => {
    if (lifetime.signal.aborted) return;
    note(`Stopped: ${reason}`);
    void lifetime.stop(1);
  });
  await fillStore(store.clickHouse.url, options);
  return store;
}

interface GatewayParts {
  readonly store: EmbeddedStore | undefined;
  readonly settings: SettingsHome;
  readonly adminKey: string;
}

async function openGateway(
  options: StartOptions,
  { store, settings, adminKey }: GatewayParts,
): Promise<Awaited<ReturnType<typeof startGateway>>> {
  const file = readDeclarativeConfig(options.config ?? resolve(root, 'kong.yml'));
  // the shipped file lists the demo table; what --init made belongs to it
  const own = options.config === undefined && store !== undefined;
  const tables = own ? await tableNames(store.clickHouse.url) : undefined;
  const { overrides, replaced } = planOverrides({
    file,
    options,
    adminKey,
    settings,
    ...(store === undefined ? {} : { store }),
    ...(tables === undefined ? {} : { tables }),
  });
  if (replaced !== undefined) note(replaced);
  if (tables !== undefined) note(`Answered from ClickHouse: ${tables.join(', ') || 'no index'}`);
  const config = overrideDeclarativeConfig(file, overrides);
  return startGateway({ config, port: options.port, pluginsDirectory, log: gatewayLog });
}

/** From notice on, as Kong's log has it by default; of the plugin's own lines, warnings and errors. */
const worthShowing = /^\[(?:notice|warn|error)\]|^\[plugin-server\] \{"level":[456]0,/;

function gatewayLog(line: string): void {
  if (worthShowing.test(line)) note(line);
}

/** What can fail at once fails before a ClickHouse is started. */
async function checkFirst(options: StartOptions): Promise<void> {
  if (!existsSync(pluginsDirectory)) {
    throw new StartFailure('The plugin is not built: run `npm run build` first');
  }
  for (const file of options.init) {
    if (!existsSync(file)) throw new StartFailure(`--init ${file}: there is no such file`);
  }
  readDeclarativeConfig(options.config ?? resolve(root, 'kong.yml'));
  try {
    await bindablePort(options.port);
  } catch (error) {
    const taken = (error as NodeJS.ErrnoException).code === 'EADDRINUSE';
    throw new StartFailure(
      `The gateway cannot listen on 127.0.0.1:${String(options.port)}: ` +
        (taken ? 'another program uses this port (--port N names another)' : reasonOf(error)),
      { cause: error },
    );
  }
}

async function run(options: StartOptions, lifetime: Lifetime): Promise<void> {
  await checkFirst(options);
  const store = await openStore(options, lifetime);
  lifetime.signal.throwIfAborted();
  const adminKey = options.adminKey ?? randomBytes(16).toString('base64url');
  const settings = openSettingsHome(options.dataDirectory);
  lifetime.add(() => settings.close());
  const gateway = await openGateway(options, { store, settings, adminKey });
  lifetime.add(() => gateway.close());
  lifetime.signal.throwIfAborted();
  await untilAnswered({ url: `${gateway.url}/health/live`, mustSucceed: false }, lifetime.signal);
  const demo = options.demo && options.config === undefined;
  if (demo) {
    const url = `${gateway.url}/access_log/_search`;
    await untilAnswered({ url, body: demoProbe, mustSucceed: true }, lifetime.signal);
  }
  announce(gateway.url, options, adminKey);
}

function announce(url: string, options: StartOptions, adminKey: string): void {
  const lines = [
    `ready ${url}`,
    ...(options.adminKey === undefined ? [`admin key (header apikey): ${adminKey}`] : []),
    ...(options.demo ? ['', ...exampleRequests(url).flatMap((example) => [example, ''])] : []),
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
}

async function main(): Promise<void> {
  const options = readOptions(process.argv.slice(2));
  if (options === undefined) {
    process.stdout.write(helpText);
    return;
  }
  // a reader that has gone away is no reason to stop serving
  process.stdout.on('error', () => undefined);
  process.stderr.on('error', () => undefined);
  const lifetime = new Lifetime();
  try {
    await lifetime.start(() => run(options, lifetime));
  } catch (error) {
    if (lifetime.signal.aborted) return;
    note(`Cannot start: ${reasonOf(error)}`);
    await lifetime.stop(1);
  }
}

main().catch((error: unknown) => {
  note(error instanceof UsageError ? `${error.message}\nTry npm start -- --help` : String(error));
  process.exit(error instanceof UsageError ? 2 : 1);
});
