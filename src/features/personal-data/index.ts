export { cleanUpExports } from './clean-up-exports.ts';
export { ExportedData } from './exported-data.schemas.ts';
export { createFinishErasureJob, ERASURE_QUEUE, resumeErasures } from './finish-erasure.job.ts';
export { createMakeExportJob, EXPORT_QUEUE } from './make-export.job.ts';
export { DataExport } from './personal-data.schemas.ts';
