/** The screen of an account that a notification is about. */
export interface NotificationTarget {
  label:
    | 'conversation.openButton'
    | 'mails.button.scan'
    | 'mails.button.code'
    | 'app.notifications.openSettings'
    | 'app.webhooks.title';
  /** Its route below the path of the account. */
  route: string;
  path: string;
  /** Says all that the notification says: opening the notification opens it. */
  isDirect: boolean;
}

const CONVERSATION_EVENTS = ['message.created', 'conversation.assigned'];

const SCAN_EVENTS = ['scan.created', 'code.scanned_while_lost', 'scan.located', 'scan.digest'];

const CODE_EVENTS = ['code.pin_rejected', 'code.expiring', 'code.expired'];

const SECURITY_EVENTS = [
  'login.created',
  'password.changed',
  'second_factor.enabled',
  'second_factor.disabled',
];

/** List the screens of a notification, the best first. */
export function listNotificationTargets(
  event: string,
  { qrCodeId, scanId, conversationId, webhookEndpointId }: Readonly<Record<string, string>>,
): NotificationTarget[] {
  const targets: NotificationTarget[] = [];
  if (CONVERSATION_EVENTS.includes(event) && conversationId)
    targets.push({
      label: 'conversation.openButton',
      route: '/inbox/:id',
      path: `/inbox/${conversationId}`,
      isDirect: true,
    });
  const isScan = SCAN_EVENTS.includes(event);
  if (isScan && qrCodeId && scanId)
    targets.push({
      label: 'mails.button.scan',
      route: '/codes/:id/scans/:scanId',
      path: `/codes/${qrCodeId}/scans/${scanId}`,
      isDirect: true,
    });
  if (qrCodeId)
    targets.push({
      label: 'mails.button.code',
      route: '/codes/:id',
      path: `/codes/${qrCodeId}`,
      isDirect: CODE_EVENTS.includes(event),
    });
  if (webhookEndpointId)
    targets.push({
      label: 'app.webhooks.title',
      route: '/developers/webhooks/:endpointId',
      path: `/developers/webhooks/${webhookEndpointId}`,
      isDirect: true,
    });
  if (SECURITY_EVENTS.includes(event))
    targets.push({
      label: 'app.notifications.openSettings',
      route: '/settings/security',
      path: '/settings/security',
      isDirect: false,
    });
  return targets;
}
