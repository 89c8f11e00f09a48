const path = require('node:path');
const root = path.resolve(__dirname, '..');
const project = (name, extra = {}) => ({
  displayName: name,
  rootDir: root,
  testMatch: [`<rootDir>/test/${name}/**/*.test.ts`],
  transform: {
    '^.+\\.ts$': ['ts-jest', { tsconfig: '<rootDir>/tsconfig.json', diagnostics: false }],
  },
  ...extra,
});
module.exports = {
  rootDir: root,
  projects: [project('unit'), project('clickhouse'), project('gateway'), project('package')],
};
