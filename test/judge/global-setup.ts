export { openSharedJudge as default } from './shared';
