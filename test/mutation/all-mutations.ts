import type { Mutation } from '../../scripts/testing/mutation.ts';
import { ACCESS_MUTATIONS } from './access-mutations.ts';
import { CONTENT_MUTATIONS } from './content-mutations.ts';
import { CRYPTO_MUTATIONS } from './crypto-mutations.ts';
import { DATABASE_MUTATIONS } from './database-mutations.ts';
import { HTTP_MUTATIONS } from './http-mutations.ts';
import { INPUT_MUTATIONS } from './input-mutations.ts';
import { LIMITS_MUTATIONS } from './limits-mutations.ts';
import { LINK_MUTATIONS } from './link-mutations.ts';
import { MONEY_MUTATIONS } from './money-mutations.ts';
import { PRIVACY_MUTATIONS } from './privacy-mutations.ts';
import { QUOTA_MUTATIONS } from './quota-mutations.ts';

/** Guards by area. Their numbers follow this order. */
export const MUTATIONS = {
  access: [...ACCESS_MUTATIONS, ...LINK_MUTATIONS],
  crypto: CRYPTO_MUTATIONS,
  limits: [...LIMITS_MUTATIONS, ...QUOTA_MUTATIONS],
  money: MONEY_MUTATIONS,
  input: INPUT_MUTATIONS,
  privacy: PRIVACY_MUTATIONS,
  database: DATABASE_MUTATIONS,
  http: HTTP_MUTATIONS,
  content: CONTENT_MUTATIONS,
} satisfies Record<string, readonly Mutation[]>;

export type MutationArea = keyof typeof MUTATIONS;

/** No guard of these may be removed unnoticed. */
export const STRICT_AREAS: readonly MutationArea[] = ['access', 'crypto', 'limits', 'money'];
