const path = require('node:path');
const { compilerOptions } = require('../tsconfig.json');
const root = path.resolve(__dirname, '..');
// Jest cannot run a real `import()` of a CommonJS test: as CommonJS it becomes a require.
const tsconfig = { ...compilerOptions, module: 'commonjs', moduleResolution: 'bundler' };
const project = (name, extra = {}) => ({
  displayName: name,
  rootDir: root,
  testMatch: [`<rootDir>/test/${name}/**/*.test.ts`],
  moduleNameMapper: { '^(\\.{1,2}/.+)\\.js$': ['$1.js', '$1'] },
  transform: { '^.+\\.ts$': ['ts-jest', { tsconfig, diagnostics: false }] },
  ...extra,
});
module.exports = {
  rootDir: root,
  // a limit for what hangs, not for what is slow on a busy machine; jest does not read it from projects
  testTimeout: 60_000,
  projects: [
    project('unit'),
    project('answer-process'),
    project('clickhouse'),
    project('gateway'),
    project('local-gateway'),
    project('plugin-server', {
      globalSetup: '<rootDir>/test/plugin-server/support/build-plugin.ts',
      globalTeardown: '<rootDir>/test/plugin-server/support/remove-plugin.ts',
    }),
    project('judge', {
      testMatch: ['<rootDir>/test/judge-harness/**/*.test.ts'],
      globalSetup: '<rootDir>/test/judge/global-setup.ts',
      globalTeardown: '<rootDir>/test/judge/global-teardown.ts',
    }),
    project('metadata', {
      globalSetup: '<rootDir>/test/judge/global-setup.ts',
      globalTeardown: '<rootDir>/test/judge/global-teardown.ts',
    }),
    project('oracle', {
      globalSetup: '<rootDir>/test/oracle/global-setup.ts',
      globalTeardown: '<rootDir>/test/oracle/global-teardown.ts',
    }),
    project('fuzz', {
      globalSetup: '<rootDir>/test/oracle/global-setup.ts',
      globalTeardown: '<rootDir>/test/oracle/global-teardown.ts',
    }),
    project('corpus', {
      globalSetup: '<rootDir>/test/oracle/global-setup.ts',
      globalTeardown: '<rootDir>/test/oracle/global-teardown.ts',
    }),
    project('dev'),
    project('package'),
  ],
};
