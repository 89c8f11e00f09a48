export { closeSharedJudge as default } from './shared';
