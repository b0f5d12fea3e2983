import type { FastifyReply } from 'fastify';
import type { Database } from '../../../platform/database.ts';
import { createDisconnectSignal } from '../../../platform/http/client-disconnect.ts';
import type { Brand } from '../../../shared/brand.ts';
import { createFairLimiter } from '../../../shared/fair-limiter.ts';
import { readScanReportData } from './read-report.ts';
import { createScanReportCspHeader } from './report-csp.ts';
import { createScanReportRenderer, type ScanReportRenderTask } from './report-renderer.ts';

export const REPORT_CONTENT_TYPES = { html: 'text/html; charset=utf-8', pdf: 'application/pdf' } as const;

/** Per process: one report is drawn while another is read. */
const CONCURRENCY = 2;

const MAX_WAITING_REPORTS = 8;

export interface ScanReportInput extends Pick<ScanReportRenderTask, 'language' | 'format'> {
  accountId: string;
  options: Parameters<typeof readScanReportData>[2];
}

export interface ScanReportSender {
  /** @throws NOT_FOUND, VALIDATION_FAILED, BUSY */
  send(reply: FastifyReply, report: ScanReportInput): Promise<FastifyReply>;
  close(): Promise<void>;
}

/** Create what draws reports and sends them as pages or PDF. */
export function createScanReportSender({
  database,
  brand,
}: {
  database: Database;
  brand: Brand;
}): ScanReportSender {
  const limiter = createFairLimiter({
    concurrency: CONCURRENCY,
    maxQueued: MAX_WAITING_REPORTS,
    maxQueuedPerKey: MAX_WAITING_REPORTS,
  });
  const contentSecurityPolicy = createScanReportCspHeader(brand);
  const renderer = createScanReportRenderer();
  return {
    async send(reply, { accountId, language, format, options }) {
      const disconnect = createDisconnectSignal(reply);
      const render = async () => {
        disconnect.throwIfAborted();
        const facts = await database.read((db) => readScanReportData(db, accountId, options, new Date()));
        disconnect.throwIfAborted();
        return Buffer.from(await renderer.run({ facts, format, language, brand }));
      };
      let output: Buffer;
      try {
        output = await limiter(accountId, render);
      } catch (error) {
        if (error !== disconnect.reason) throw error;
        // The client disconnected; there is no response and no error.
        return reply.hijack();
      }
      return reply
        .type(REPORT_CONTENT_TYPES[format])
        .header('Content-Security-Policy', contentSecurityPolicy)
        .header('Content-Disposition', `inline; filename="scans-report.${format}"`)
        .header('Cache-Control', 'no-store')
        .send(output);
    },
    close: () => renderer.close(),
  };
}
