import { LIFETIMES_SECONDS } from '../../shared/lifetimes.ts';

export function getQrCodeRestoreCutoff(now: Date = new Date()): Date {
  return new Date(now.getTime() - LIFETIMES_SECONDS.deletedQrCode * 1000);
}
