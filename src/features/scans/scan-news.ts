/** What an owner is to know of a scan. */
export interface ScanNews {
  ownerId: string;
  qrCodeId: string;
  scanId: string;
  title: string;
  isLost: boolean;
  /** The city, or what is known beyond it. */
  place: string | null;
}

/** What an owner is told of a scan. */
export interface ScanNotification {
  type: string;
  event: string;
  data: Record<string, string>;
}
