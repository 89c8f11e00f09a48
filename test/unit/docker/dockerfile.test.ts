import { existsSync } from 'node:fs';
import { type Instruction, inRepository, instructions, textOf } from './files';

const all = instructions(textOf('docker/Dockerfile'));
const named = (name: string): readonly string[] =>
  all.filter((instruction) => instruction.name === name).map(({ rest }) => rest);

const environment = new Map(
  [
    ...named('ENV')
      .join(' ')
      .matchAll(/(\w+)=(?:"([^"]*)"|(\S+))/g),
  ].map(([, name = '', quoted, plain]) => [name, quoted ?? plain ?? ''] as const),
);

const words = (text: string): readonly string[] =>
  text.split(/\s+/).filter((word) => !word.startsWith('--'));

/** What is copied from the repository, not from another stage. */
const copied = all
  .filter(({ name, rest }) => name === 'COPY' && !rest.includes('--from='))
  .flatMap(({ rest }) => words(rest).slice(0, -1));

it('copies what the repository has and the build is given', () => {
  const given = textOf('.dockerignore').split('\n');
  expect(copied.filter((path) => !existsSync(inRepository(path)))).toEqual([]);
  expect(copied.filter((path) => !given.includes(`!${path}`))).toEqual([]);
});

it('gives the build no file that it does not copy', () => {
  const given = textOf('.dockerignore')
    .split('\n')
    .filter((line) => line.startsWith('!'));
  expect(given.map((line) => line.slice(1)).sort()).toEqual([...copied].sort());
});

it('takes every base image as an argument', () => {
  const args = named('ARG').map((arg) => arg.split('=')[0]);
  expect(args).toEqual(['KONG_IMAGE', 'NODE_IMAGE']);
  expect(named('FROM').map((from) => from.split(' ')[0])).toEqual([
    '${NODE_IMAGE}',
    '${KONG_IMAGE}',
  ]);
});

it('runs as the user of Kong, with the command of Kong', () => {
  const last = (name: string): Instruction | undefined =>
    all.findLast((instruction) => instruction.name === name);
  expect(last('USER')?.rest).toBe('kong');
  expect(last('CMD')?.rest).toBe('["kong", "docker-start"]');
  expect(last('ENTRYPOINT')?.rest).toBe('["/usr/local/bin/kibana-clickhouse-entrypoint"]');
  expect(named('COPY').join('\n')).toContain(
    'docker/entrypoint.sh /usr/local/bin/kibana-clickhouse-entrypoint',
  );
});

describe('the plugin server', () => {
  const home = '/opt/kibana-clickhouse';
  const start = environment.get('KONG_PLUGINSERVER_JS_START_CMD') ?? '';
  const query = environment.get('KONG_PLUGINSERVER_JS_QUERY_CMD') ?? '';

  it('is a program of a dependency that the image keeps', () => {
    const { dependencies } = JSON.parse(textOf('package.json')) as {
      readonly dependencies: Readonly<Record<string, string>>;
    };
    const { bin } = JSON.parse(textOf('node_modules/kong-pdk/package.json')) as {
      readonly bin: Readonly<Record<string, string>>;
    };
    expect(dependencies).toHaveProperty('kong-pdk');
    expect(bin).toHaveProperty('kong-js-pluginserver');
    for (const command of [start, query])
      expect(command).toContain(`${home}/node_modules/.bin/kong-js-pluginserver `);
  });

  it('is given the directory that the build writes', () => {
    const { include, compilerOptions } = JSON.parse(textOf('tsconfig.build.json')) as {
      readonly include: readonly string[];
      readonly compilerOptions: { readonly outDir: string };
    };
    expect(include).toContain('plugins');
    for (const command of [start, query])
      expect(command).toContain(`-d ${home}/${compilerOptions.outDir}/plugins`);
    expect(named('COPY')).toContain(`--from=build ${home} ${home}`);
    expect(named('WORKDIR')).toEqual([home]);
  });

  it('is started as the README says', () => {
    const readme = textOf('README.md');
    const said = new Map(
      [...readme.matchAll(/^export (KONG_\w+)="?([^"\n]*)"?$/gm)].map(
        ([, name = '', value = '']) => [name, value] as const,
      ),
    );
    // the README installs the package, the image has it as a directory
    const normal = (text: string | undefined): string | undefined =>
      text
        ?.replaceAll('$DIR/kong-plugin-kibana-clickhouse', home)
        .replaceAll('$DIR', `${home}/node_modules`)
        .replace(/^env /, '/usr/bin/env ');
    expect(said.size).toBeGreaterThanOrEqual(5);
    for (const [name, value] of said)
      expect([name, environment.get(name)]).toEqual([name, normal(value)]);
  });
});
