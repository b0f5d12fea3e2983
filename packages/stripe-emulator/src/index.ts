export type { Log } from './log.ts';
export {
  findStripeEmulator,
  type StripeEmulator,
  type StripeEmulatorSettings,
  startStripeEmulator,
} from './start-stripe-emulator.ts';
export type { EmulatorStore } from './store.ts';
export { createWebhookSignature } from './webhook-signature.ts';
