import { Type } from 'typebox';

export const PaymentWebhookParams = Type.Object({
  provider: Type.String({ description: 'Name of the payment provider.', examples: ['stripe'] }),
});

export const WebhookReceived = Type.Object(
  { received: Type.Literal(true, { description: 'The event is stored.' }) },
  { $id: 'WebhookReceived' },
);
