import { Me, RefreshedTokens, Registered, Session, Tokens, User } from './accounts/accounts.schemas.ts';
import { KindDescription, QrCode, QrCodeItem, QrCodePreview, TestLink } from './qrcodes/qrcodes.schemas.ts';

/** The named components of the OpenAPI document, by which routes refer to them. */
export const COMPONENTS = [User, Tokens, RefreshedTokens, Registered, Session, Me, QrCode, QrCodeItem, QrCodePreview, KindDescription, TestLink];
