import type { Benchmark } from './benchmark.ts';

interface CatalogueEntry {
  name: string;
  summary: string;
  load(): Promise<Benchmark>;
}

/** All benchmarks in the order of the list; those of the same world run one after the other. */
export const BENCHMARKS: readonly CatalogueEntry[] = [
  {
    name: 'scan',
    summary: 'public scans, against a bare handler with one statement',
    load: async () => (await import('./benchmarks/scan.ts')).scanBenchmark,
  },
  {
    name: 'page',
    summary: 'the page of a code, against public scans of the same codes',
    load: async () => (await import('./benchmarks/scan.ts')).pageBenchmark,
  },
  {
    name: 'pgbench',
    summary: 'public scans, against the statement of the bare handler sent by pgbench',
    load: async () => (await import('./benchmarks/scan.ts')).pgbenchBenchmark,
  },
  {
    name: 'scan-cost',
    summary: 'CPU, WAL and bytes of a scan, its notification and roll-ups, against the bare handler',
    load: async () => (await import('./benchmarks/scan-cost.ts')).scanCostBenchmark,
  },
  {
    name: 'tracing',
    summary: 'processor time of scans and pages with traces, against none',
    load: async () => (await import('./benchmarks/tracing.ts')).tracingBenchmark,
  },
  {
    name: 'image',
    summary: 'an image drawn, read back and stored, against the PNG encoder of qrcode alone',
    load: async () => (await import('./benchmarks/image.ts')).imageBenchmark,
  },
  {
    name: 'lists',
    summary:
      'lists of codes and scans, against a bare handler with the same SQL; deep pages, against first ones',
    load: async () => (await import('./benchmarks/lists.ts')).listsBenchmark,
  },
  {
    name: 'cards',
    summary: 'dashboard of 100,000 codes, against a bare handler that reads one row',
    load: async () => (await import('./benchmarks/lists.ts')).cardsBenchmark,
  },
  {
    name: 'code-table',
    summary: 'the table of 100,000 codes in the pages for owners, with its filters, against limits',
    load: async () => (await import('./benchmarks/code-table.ts')).codeTableBenchmark,
  },
  {
    name: 'statistics',
    summary: 'statistics of codes among 5,000,000 scans, against the same among 10,000',
    load: async () => (await import('./benchmarks/statistics.ts')).statisticsBenchmark,
  },
  {
    name: 'reports',
    summary: 'public scans beside eight reports at once, against scans alone',
    load: async () => (await import('./benchmarks/statistics.ts')).reportsBenchmark,
  },
  {
    name: 'search',
    summary: 'searches of an owner of 100,000 codes among 1,000,000, against a bare count of the same rows',
    load: async () => (await import('./benchmarks/searches.ts')).searchBenchmark,
  },
  {
    name: 'administration',
    summary: 'lists and analytics of administrators, against a bare count of 1,000,000 codes',
    load: async () => (await import('./benchmarks/searches.ts')).administrationBenchmark,
  },
  {
    name: 'statements',
    summary: 'plans of the statements of frequent requests and of jobs, against a limit of 50 ms',
    load: async () => (await import('./benchmarks/statements.ts')).statementsBenchmark,
  },
  {
    name: 'storage',
    summary: 'bytes of the merged roll-ups of a month, against those before',
    load: async () => (await import('./benchmarks/storage.ts')).storageBenchmark,
  },
  {
    name: 'scan-export',
    summary: 'export of 1,000,000 scans, against raw COPY with the same decryption',
    load: async () => (await import('./benchmarks/scan-export.ts')).scanExportBenchmark,
  },
  {
    name: 'account',
    summary: 'public scans beside the export and the erasure of an account, against scans alone',
    load: async () => (await import('./benchmarks/account.ts')).accountBenchmark,
  },
  {
    name: 'imports',
    summary: 'public scans beside an import of 10,000 rows and its images, against scans alone',
    load: async () => (await import('./benchmarks/imports.ts')).importsBenchmark,
  },
  {
    name: 'print-sheets',
    summary: 'public scans beside 5,000 labels, each drawn and decoded, against scans alone',
    load: async () => (await import('./benchmarks/print-sheets.ts')).printSheetsBenchmark,
  },
  {
    name: 'uploads',
    summary: 'public scans beside 100 uploads of 10 MB at once, against scans alone',
    load: async () => (await import('./benchmarks/uploads.ts')).uploadsBenchmark,
  },
  {
    name: 'file-transfer',
    summary: 'upload and download of 2 GiB, against an encrypted copy',
    load: async () => (await import('./benchmarks/uploads.ts')).fileTransferBenchmark,
  },
  {
    name: 'log-ins',
    summary: 'public scans beside bursts of 300 log-ins, against scans alone',
    load: async () => (await import('./benchmarks/crowds.ts')).logInsBenchmark,
  },
  {
    name: 'connections',
    summary: 'public scans beside 2,000 idle and 400 slow sockets, against scans alone',
    load: async () => (await import('./benchmarks/crowds.ts')).connectionsBenchmark,
  },
  {
    name: 'payments',
    summary: 'public scans beside 10,000 payment events a minute, against scans alone',
    load: async () => (await import('./benchmarks/payments.ts')).paymentsBenchmark,
  },
  {
    name: 'shared-address',
    summary: '300 users behind one address under the limits of production, against no limits',
    load: async () => (await import('./benchmarks/shared-address.ts')).sharedAddressBenchmark,
  },
  {
    name: 'realtime',
    summary: 'how soon 500 sockets hear of a message, against one socket',
    load: async () => (await import('./benchmarks/realtime.ts')).realtimeBenchmark,
  },
  {
    name: 'workers',
    summary: 'mails of two workers, against a bare mailer',
    load: async () => (await import('./benchmarks/deliveries.ts')).workersBenchmark,
  },
  {
    name: 'webhooks',
    summary: 'webhook deliveries of public scans, against bare requests',
    load: async () => (await import('./benchmarks/deliveries.ts')).webhooksBenchmark,
  },
  {
    name: 'audit',
    summary: 'entries of the audit trail with the seal chain, against none',
    load: async () => (await import('./benchmarks/audit.ts')).auditBenchmark,
  },
  {
    name: 'rotation',
    summary: 'values that keys:rotate encrypts again, against decrypting and encrypting alone',
    load: async () => (await import('./benchmarks/rotation.ts')).rotationBenchmark,
  },
  {
    name: 'first-paint',
    summary:
      'first paint of finder pages and pages for owners on a slow phone, against a bare page (needs chromium)',
    load: async () => (await import('./benchmarks/first-paint.ts')).firstPaintBenchmark,
  },
];
