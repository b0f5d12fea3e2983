export { type OidcEmulator, startOidcEmulator } from './start-oidc-emulator.ts';
