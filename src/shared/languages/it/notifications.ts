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
  GUEST_BOOK_SIGNED: {
    title: 'Un messaggio nel libro degli ospiti di {remembered}',
    body: 'Qualcuno ha scritto nel libro degli ospiti di {remembered}. Il messaggio apparirà lì quando lei lo approverà.',
  },
  CARETAKER_NAMED: {
    title: 'Può collaborare a una targa commemorativa',
    body: 'Qualcuno le permette di collaborare a una targa commemorativa: ai testi, alle immagini e al libro degli ospiti. Si trova nel suo elenco delle targhe di altri.',
  },
  BIRTH_ANNIVERSARY: {
    title: '{remembered}: un compleanno da ricordare',
    body: 'Data di nascita di {remembered}: {date}.',
  },
  DEATH_ANNIVERSARY: {
    title: '{remembered}: un giorno di ricordo',
    body: 'Data di morte di {remembered}: {date}.',
  },
  CODE_EXPIRING: {
    title: '“{code}” scade presto',
    body: 'Il suo codice “{code}” scade in data {date}. Dopo non mostrerà più nulla.',
  },
  CODE_EXPIRED: {
    title: '“{code}” è scaduto',
    body: 'Il suo codice “{code}” è scaduto e non mostra più nulla.',
  },
  DOCUMENT_INFECTED: {
    title: 'Un file di “{document}” è stato rimosso',
    body: 'In un file del suo documento “{document}” è stato trovato un malware e il file è stato rimosso. Controlli il dispositivo da cui proviene.',
  },
  DOCUMENT_EXPIRING: {
    title: '“{document}” scade presto',
    body: 'Il suo documento “{document}” è valido fino al giorno {date}.',
  },
  DOCUMENT_EXPIRED: {
    title: '“{document}” scade in data {date}',
    body: 'Il suo documento “{document}” è valido fino al giorno {date}.',
  },
  DOCUMENT_OPENED: {
    title: '“{document}” è stato aperto',
    body: 'Qualcuno ha aperto il suo documento “{document}”. L’elenco delle letture del documento dice in che modo.',
  },
  DOCUMENT_GIVEN: {
    title: 'Ha ricevuto un documento da leggere',
    body: 'Qualcuno le ha dato un documento da leggere. Si trova nel suo elenco dei documenti di altri.',
  },
  PASSCODE_REJECTED: {
    title: 'Codici di accesso sbagliati per “{document}”',
    body: 'Qualcuno ha inserito codici di accesso sbagliati per un link al suo documento “{document}”. Non è stato aperto.',
  },
  SCANS_DIGEST: {
    title: { one: 'Una scansione dei suoi codici', other: '{count} scansioni dei suoi codici' },
    body: 'A partire da {time}: {codes}.',
  },
  SUBSCRIPTION_STARTED: {
    title: 'Il suo abbonamento è iniziato',
    body: 'Ora ha il piano “{package}”. Grazie.',
  },
  SUBSCRIPTION_CHANGED: {
    title: 'Il suo abbonamento è stato modificato',
    body: 'Ora ha il piano “{package}”.',
  },
  SUBSCRIPTION_ENDING: {
    title: 'Il suo abbonamento termina il {date}',
    body: 'Il piano “{package}” termina con il periodo pagato; fino ad allora può ancora mantenerlo. I suoi codici continuano comunque a funzionare.',
  },
  SUBSCRIPTION_ENDED: {
    title: 'Il suo abbonamento è terminato',
    body: 'Il piano “{package}” è terminato. I codici stampati continuano a funzionare; ciò che supera il piano gratuito da ora si può solo leggere.',
  },
  SUBSCRIPTION_PAUSED: {
    title: 'Il suo abbonamento è in pausa',
    body: 'Il piano “{package}” è in pausa. I codici stampati continuano a funzionare.',
  },
  SUBSCRIPTION_RESUMED: {
    title: 'Il suo abbonamento riprende',
    body: 'Ha di nuovo il piano “{package}”.',
  },
  TRIAL_ENDING: {
    title: 'Il suo periodo di prova termina il {date}',
    body: 'Da allora il piano “{package}” sarà a pagamento, a meno che non lo disdica prima.',
  },
  PAYMENT_RECEIVED: {
    title: 'Abbiamo ricevuto il suo pagamento di {amount}',
    body: 'Grazie. Ha pagato {amount} per “{package}”, {period}. Tutte le sue fatture sono nel suo account, alla voce “Abbonamento”.',
  },
  PAYMENT_FAILED: {
    title: 'Il suo pagamento di {amount} non è riuscito',
    body: 'Non è stato possibile addebitare {amount} per “{package}”. Controlli il metodo di pagamento nel suo account, alla voce “Abbonamento”. I codici stampati continuano a funzionare.',
  },
  PAYMENT_ACTION_NEEDED: {
    title: 'Confermi un pagamento di {amount}',
    body: 'La sua banca le chiede di confermare il pagamento di {amount} per “{package}”. Apra la fattura nel suo account, alla voce “Abbonamento”.',
  },
  PAYMENT_REFUNDED: {
    title: 'Rimborso di {amount}',
    body: 'Le abbiamo rimborsato {amount} per “{package}”. Possono passare alcuni giorni prima che l’importo compaia sul suo conto.',
  },
  PAYMENT_DISPUTED: {
    title: 'Un pagamento di {amount} è contestato',
    body: 'La sua banca chiede il rimborso di {amount} per “{package}”. Se si tratta di un errore, lo segnali alla banca.',
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
