import { Type } from 'typebox';

export const WebhookParams = Type.Object({
  provider: Type.String({ description: 'The name of a payment provider.', examples: ['stripe'] }),
});

export const WebhookReceived = Type.Object(
  { received: Type.Literal(true, { description: 'The event is stored; it need not be sent again.' }) },
  { $id: 'WebhookReceived' },
);
