const { projects, rootDir } = require('../jest.config.cjs');
const oracle = projects.find(({ displayName }) => displayName === 'oracle');
// the runner starts the judge once and compiles each product itself
const project = { ...oracle, globalSetup: undefined, globalTeardown: undefined };
module.exports = {
  rootDir,
  projects: [{ ...project, testMatch: ['<rootDir>/test/oracle/scenarios.test.ts'] }],
};
