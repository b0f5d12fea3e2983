import { findMailProblems, type MailFacts } from '../../../src/features/administration/mail-status.rules.ts';
import { t } from '../../tap.ts';

const NOW = new Date('2027-03-01T12:00:00Z');

const FACTS: MailFacts = {
  status: 'ACTIVE',
  isSuppressed: false,
  outboxWaitingSince: null,
  waiting: [],
  deliveries: [],
  switchedOff: [],
};

t.test('nothing keeps emails from a user whose last one arrived', async (t) => {
  t.same(findMailProblems(FACTS, NOW), []);
  const deliveries = [
    { status: 'NOT_SENT', reason: 'ALREADY_NOTIFIED' },
    { status: 'DELIVERED', reason: null },
    { status: 'FAILED', reason: 'REFUSED' },
  ];
  const outboxWaitingSince = new Date('2027-03-01T11:46:00Z');
  t.same(findMailProblems({ ...FACTS, deliveries, outboxWaitingSince }, NOW), []);
});

t.test('each reason is found, and the first to look at is first', async (t) => {
  for (const [facts, problem] of [
    [{ status: 'SUSPENDED' }, 'SUSPENDED'],
    [{ status: 'PENDING_VERIFICATION' }, 'ADDRESS_NOT_CONFIRMED'],
    [{ outboxWaitingSince: new Date('2027-03-01T11:44:00Z') }, 'OUTBOX_STUCK'],
    [{ waiting: [{ attempts: 9, failedJobId: 'one' }] }, 'JOB_FAILED'],
    [{ waiting: [{ attempts: 1, failedJobId: null }] }, 'MAIL_DELAYED'],
    [{ deliveries: [{ status: 'FAILED', reason: 'REFUSED' }] }, 'LAST_MAIL_FAILED'],
    [{ isSuppressed: true }, 'SUPPRESSED'],
    [{ deliveries: [{ status: 'WAITING', reason: 'QUIET_HOURS' }] }, 'QUIET_HOURS'],
    [{ switchedOff: ['message.created'] }, 'SWITCHED_OFF'],
  ] as const)
    t.same(findMailProblems({ ...FACTS, ...facts }, NOW), [problem]);
  const both = { ...FACTS, status: 'SUSPENDED', isSuppressed: true, switchedOff: ['scan.located'] };
  t.same(findMailProblems(both, NOW), ['SUSPENDED', 'SUPPRESSED', 'SWITCHED_OFF']);
});
