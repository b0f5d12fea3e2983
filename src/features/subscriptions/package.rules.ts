/** What packages limit: numbers of records, bytes, and days for which scans are kept. */
export const LIMITS = ['qrCodes', 'memoryTags', 'documents', 'storageBytes', 'scansKeptDays'] as const;
