export { CLEAN_UP_QUEUE, createCleanUpJob } from './clean-up.job.ts';
