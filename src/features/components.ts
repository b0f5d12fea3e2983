import { Me, RefreshedTokens, Registered, Session, Tokens, User } from './accounts/accounts.schemas.ts';

/** The named components of the OpenAPI document, by which routes refer to them. */
export const COMPONENTS = [User, Tokens, RefreshedTokens, Registered, Session, Me];
