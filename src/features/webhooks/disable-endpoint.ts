import { insertAuditEntry } from '../../platform/audit.repository.ts';
import type { Database } from '../../platform/database.ts';
import type { DomainEventBus } from '../../platform/events.ts';
import { disableWebhookEndpoint } from './webhook-endpoint.repository.ts';

/** Disable an endpoint that only fails, and notify its owner. */
export async function disableFailingEndpoint(
  { database, events }: { database: Database; events: DomainEventBus },
  { id, userId }: { id: string; userId: string },
  reason: 'GONE' | 'FAILING',
): Promise<void> {
  await database.transaction(async (tx) => {
    if (!(await disableWebhookEndpoint(tx, id, reason))) return;
    await insertAuditEntry(tx, {
      action: 'WEBHOOK_ENDPOINT_DISABLED',
      outcome: 'SUCCESS',
      resourceId: userId,
      operation: 'webhooks.disable',
      requestId: 'job',
    });
    await events.publish(tx, 'webhook-endpoint.disabled', { userId, webhookEndpointId: id });
  });
}
