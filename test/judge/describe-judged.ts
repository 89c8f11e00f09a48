import { elasticsearch } from './engines';
import { missingTools } from './java';

/** The shared judge's address; set by the jest project's global set-up. */
export const sharedJudgeUrl = (): string => process.env[elasticsearch.variable] ?? '';

/** `describe` where a judge answers, `describe.skip` where the global set-up has printed that it is skipped. */
export const describeJudged: jest.Describe = sharedJudgeUrl() === '' ? describe.skip : describe;

/** `describe` where this machine can start engines of its own. */
export const describeStarting: jest.Describe =
  missingTools() === undefined ? describe : describe.skip;
