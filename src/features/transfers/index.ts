import type { Feature, FeatureManifest } from '../../platform/feature.ts';
import { cleanUpCodeMoves } from './clean-up-code-moves.use-case.ts';
import { codeMoveRoutes } from './code-moves.routes.ts';
import { CodeMoveSchema } from './code-moves.schemas.ts';
import { createMoveCodesJob, MOVE_CODES_QUEUE } from './move-codes.job.ts';
import type { TransferServices } from './transfer-services.ts';

export const transfersManifest: FeatureManifest = {
  name: 'transfers',
  queues: [MOVE_CODES_QUEUE],
  schemas: [CodeMoveSchema],
};

export function createTransfersFeature(services: TransferServices) {
  const feature: Feature = {
    async plugin(app) {
      await app.register(codeMoveRoutes, { prefix: '/api/code-moves', ...services });
    },
    jobs: [{ queue: MOVE_CODES_QUEUE, handler: createMoveCodesJob(services) }],
    cleanUp: [() => cleanUpCodeMoves(services)],
  };
  return { feature };
}

export {
  type CodeMoveRecord,
  countCodesOfAccount as countMovableCodes,
  listCodeMoves,
} from './code-move.repository.ts';
export { MOVE_CODES_QUEUE } from './move-codes.job.ts';
export { transfersPersonalData } from './personal-data.ts';
export { requestCodeMove } from './request-code-move.use-case.ts';
