export const SCAN_SORTS = ['-scannedAt', 'scannedAt'] as const;

export type ScanSort = (typeof SCAN_SORTS)[number];
