import { listGuards } from '../../scripts/mutation/guards.ts';
import { ACCESS_GUARDS } from './access-guards.ts';
import { CONTENT_GUARDS } from './content-guards.ts';
import { INTEGRITY_GUARDS } from './integrity-guards.ts';
import { LIMIT_GUARDS } from './limit-guards.ts';

export const GUARDS = listGuards([ACCESS_GUARDS, INTEGRITY_GUARDS, LIMIT_GUARDS, CONTENT_GUARDS]);
