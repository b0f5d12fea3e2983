export { CHECK_FILES_QUEUE, createCheckFilesJob } from './file-check/check-files.job.ts';
export { checkStoredFileConsistency, type FileFinding } from './file-check/check-files.ts';
export { createFileFindingCounts, listFoundProblems } from './file-check/file-finding-counts.ts';
