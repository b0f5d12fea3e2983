import type { Config } from '../../config.ts';
import { PaymentError } from '../../providers/payments/payments.port.ts';
import {
  loadStripeLibrary,
  readStripeAccountState,
  type StripeAccountState,
} from '../../providers/payments/stripe/inspect-account.ts';
import { isStripeLiveKey } from '../../providers/payments/stripe/stripe-values.ts';
import { type Check, createOk, createProblem, createWarning, type Finding, NOT_CONFIGURED } from './check.ts';

const ADVICE = 'Check that STRIPE_API_BASE (api.stripe.com) can be reached.';

export function createPaymentCheck(config: Config): Check {
  const { billing, stripe, publicBaseUrl, production } = config;
  if (billing !== 'stripe' || !stripe)
    return { name: 'payments', advice: ADVICE, run: async () => NOT_CONFIGURED };
  return {
    name: 'payments',
    advice: ADVICE,
    prepare: async () => loadStripeLibrary(),
    run: async () => {
      const webhookUrl = `${publicBaseUrl}/api/webhooks/stripe`;
      try {
        const { webhook } = await readStripeAccountState(stripe, webhookUrl);
        return judgeWebhook(webhook, {
          webhookUrl,
          isTestInProduction: production && !isStripeLiveKey(stripe.secretKey),
        });
      } catch (error) {
        if (!(error instanceof PaymentError) || error.failure !== 'CREDENTIALS') throw error;
        return createProblem(
          'Stripe refuses the key',
          'Set STRIPE_SECRET_KEY to a key with the rights of docs/operations/payments.md.',
        );
      }
    },
  };
}

function judgeWebhook(
  webhook: StripeAccountState['webhook'],
  { webhookUrl, isTestInProduction }: { webhookUrl: string; isTestInProduction: boolean },
): Finding {
  const mode = isTestInProduction ? 'test mode' : 'the key works';
  const advice = `At Stripe, send the events of docs/operations/payments.md to ${webhookUrl}.`;
  if (webhook === null)
    return createWarning(
      `${mode}, its webhook endpoints cannot be read`,
      'Give the key the right to read webhook endpoints, or compare them at Stripe.',
    );
  if (webhook === 'ABSENT') return createProblem(`${mode}, no webhook endpoint for this service`, advice);
  if (!webhook.isEnabled)
    return createProblem(`${mode}, the webhook endpoint is disabled`, `Enable it at Stripe. ${advice}`);
  if (webhook.missingEvents.length > 0)
    return createProblem(
      `${mode}, the webhook endpoint lacks events`,
      `Add them at Stripe: ${webhook.missingEvents.join(', ')}.`,
    );
  if (isTestInProduction)
    return createWarning(
      `${mode}, the webhook endpoint has all events`,
      'No money moves. To sell, set a key of the live mode.',
    );
  return createOk(`${mode}, the webhook endpoint has all events`);
}
