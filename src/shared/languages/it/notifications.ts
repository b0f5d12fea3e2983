/** What people are told of: `title` in lists and pushes, `body` below it. */
export const notifications = {
  QR_CODE_SCANNED: {
    title: '“{code}” è stato scansionato',
    body: 'Il suo codice “{code}” è stato scansionato.',
  },
  QR_CODE_SCANNED_NEAR: {
    title: '“{code}” è stato scansionato',
    body: 'Il suo codice “{code}” è stato scansionato vicino a {place}.',
  },
  LOST_CODE_SCANNED: {
    title: 'Smarrito: “{code}” è stato scansionato',
    body: 'Il suo codice “{code}” è stato scansionato.',
  },
  LOST_CODE_SCANNED_NEAR: {
    title: 'Smarrito: “{code}” è stato scansionato',
    body: 'Il suo codice “{code}” è stato scansionato vicino a {place}.',
  },
  SCAN_LOCATED: {
    title: 'Posizione di “{code}”',
    body: 'Chi ha scansionato il suo codice “{code}” ha indicato dove si trova.',
  },
  SCAN_LOCATED_NEAR: {
    title: 'Posizione di “{code}”',
    body: 'Chi ha scansionato il suo codice “{code}” ha indicato dove si trova: vicino a {place}.',
  },
  MESSAGE_RECEIVED: {
    title: 'Messaggio su “{code}”',
    body: 'Chi ha scansionato il suo codice “{code}” le ha scritto.',
  },
  PIN_REJECTED: {
    title: 'PIN sbagliati per “{code}”',
    body: 'Qualcuno ha inserito PIN sbagliati per il suo codice “{code}”. Ciò che il PIN protegge non è stato mostrato.',
  },
  CODE_EXPIRING: {
    title: '“{code}” scade presto',
    body: 'Il suo codice “{code}” scade in data {date}. Dopo non mostrerà più nulla.',
  },
  CODE_EXPIRED: {
    title: '“{code}” è scaduto',
    body: 'Il suo codice “{code}” è scaduto e non mostra più nulla.',
  },
  SCANS_DIGEST: {
    title: { one: 'Una scansione dei suoi codici', other: '{count} scansioni dei suoi codici' },
    body: 'A partire da {time}: {codes}.',
  },
  SCANS_DIGEST_NEAR: {
    title: { one: 'Una scansione dei suoi codici', other: '{count} scansioni dei suoi codici' },
    body: 'A partire da {time}: {codes}. Ultimo luogo: vicino a {place}.',
  },
  NEW_LOGIN: {
    title: 'Nuovo accesso',
    body: 'Qualcuno è entrato nel suo account. Se non era lei, cambi la password e chiuda la sessione.',
  },
  PASSWORD_CHANGED: {
    title: 'La sua password è stata cambiata',
    body: 'Tutte le altre sessioni sono state chiuse. Se non l’ha fatto lei, chieda subito una nuova password.',
  },
  SECOND_FACTOR_ON: {
    title: 'Secondo fattore attivato',
    body: 'Tutte le altre sessioni sono state chiuse. Se non l’ha fatto lei, cambi la password.',
  },
  SECOND_FACTOR_OFF: {
    title: 'Secondo fattore disattivato',
    body: 'Tutte le altre sessioni sono state chiuse. Se non l’ha fatto lei, cambi la password.',
  },
  ROLE_CHANGED: {
    title: 'Il suo ruolo è stato cambiato',
    body: 'Un amministratore ha cambiato il suo ruolo. Il nuovo ruolo: {role}.',
  },
  GLASS_BROKEN: {
    title: 'Un amministratore ha aperto un suo record',
    body: 'Si può leggere per un quarto d’ora, per un’emergenza dichiarata. Il suo registro di controllo indica chi ha letto che cosa.',
  },
};
