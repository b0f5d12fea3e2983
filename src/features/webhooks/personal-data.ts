import { Type } from 'typebox';
import { readOrReportIntegrityFailure } from '../../platform/integrity-failure.ts';
import {
  defineExportedList,
  definePersonalData,
  defineTableDeletedOnErasure,
  type PersonalDataExportContext,
} from '../../platform/personal-data.ts';
import { createRowDeletionStep } from '../../platform/personal-rows.repository.ts';
import { Id, nullable, Timestamp } from '../../shared/common.schemas.ts';
import { formatLifetime } from '../../shared/lifetimes.ts';
import { WEBHOOK_URL } from './encrypted-endpoint.ts';
import { deleteUserDeliveries } from './webhook-delivery.repository.ts';
import { listWebhookEndpoints } from './webhook-endpoint.repository.ts';

const Text = Type.String();

const ExportedWebhookEndpoint = Type.Object({
  id: Id,
  url: nullable(Type.String({ description: 'Null if it cannot be decrypted.' })),
  eventTypes: Type.Array(Text),
  include: nullable(Text),
  description: nullable(Text),
  enabled: Type.Boolean(),
  createdAt: Timestamp,
});

export const webhooksPersonalData = definePersonalData({
  tables: {
    webhook_endpoints: defineTableDeletedOnErasure(
      { in: 'webhookEndpoints' },
      {
        how: 'Every endpoint of the account, with its secrets.',
        erase: createRowDeletionStep('webhook_endpoints', 'account_id'),
      },
    ),
    account_events: defineTableDeletedOnErasure(
      { not: `ids of what is in the archive, kept for ${formatLifetime('accountEvent')}` },
      { erase: createRowDeletionStep('account_events', 'account_id') },
    ),
    webhook_deliveries: defineTableDeletedOnErasure(
      { not: `ids of what is in the archive, kept for ${formatLifetime('accountEvent')}` },
      { erase: deleteUserDeliveries },
    ),
  },
  lists: {
    webhookEndpoints: defineExportedList({
      item: ExportedWebhookEndpoint,
      description: 'Endpoints that receive events, without their secrets.',
      async *read({ db, userId, fieldCipher, onIntegrityFailure }: PersonalDataExportContext) {
        const rows = await listWebhookEndpoints(db, userId);
        yield rows.map((row) => ({
          id: row.id,
          url: readOrReportIntegrityFailure(() => WEBHOOK_URL.decrypt(fieldCipher, row), onIntegrityFailure),
          eventTypes: row.eventTypes,
          include: row.includesObject ? 'object' : null,
          description: row.description,
          enabled: row.disabledAt === null,
          createdAt: row.createdAt.toISOString(),
        }));
      },
    }),
  },
});
