import type { Catalogue } from '../catalogue.ts';

/** Mails: their subject, and one paragraph a line. Times are put in as the reader's language writes them, in UTC. */
export const mails: Catalogue['mails'] = {
  OTP: {
    subject: '{otp} è il suo codice di conferma',
    lines: [
      'Il suo codice di conferma: {otp}',
      'Vale per la registrazione fatta in data {time}, con la password scelta allora. Funziona una sola volta, entro {minutes} minuti.',
      'Se in quel momento non si stava registrando, ignori questa e-mail e non dia il codice a nessuno: chi lo ha può aprire un account con il suo indirizzo.',
    ],
  },
  OTP_CHOICE: {
    subject: '{codes} è il suo codice di conferma: scelga',
    or: '{one} o {other}',
    choice: '{otp} per la registrazione fatta in data {time}',
    lines: [
      'Questo indirizzo è stato registrato più volte, con password diverse. Inserisca il codice della sua registrazione, che riconosce dall’ora:',
      'Il codice inserito decide quale password apre l’account. Funziona una sola volta, entro {minutes} minuti.',
      'Se una registrazione non è sua, non inserisca il relativo codice e non lo dia a nessuno: chi si è registrato conoscerebbe la password. Se nessuna è sua, ignori questa e-mail.',
    ],
  },
  ALREADY_REGISTERED: {
    subject: 'Ha già un account',
    lines: [
      'Qualcuno, forse lei, ha provato a registrare questo indirizzo. Esiste già un account; non è stato cambiato nulla.',
      'Se ha dimenticato la password, ne chieda una nuova nella pagina di accesso.',
    ],
  },
  PASSWORD_RESET: {
    subject: 'Scelga una nuova password',
    lines: [
      'Qualcuno, forse lei, ha chiesto una nuova password per questo indirizzo. La scelga seguendo questo link:',
      '{link}',
      'Funziona una sola volta, entro {minutes} minuti. Se non è stata una sua richiesta, ignori questa e-mail; la password non cambia.',
    ],
  },
  PASSWORD_RESET_DONE: {
    subject: 'La sua password è stata sostituita',
    lines: [
      'La sua password è stata sostituita tramite un link inviato a questo indirizzo e tutte le sessioni sono state chiuse.',
      'Se non l’ha fatto lei, chieda subito una nuova password.',
    ],
  },
  PASSWORD_CHANGED: {
    subject: 'La sua password è stata cambiata',
    lines: [
      'La sua password è stata cambiata e tutte le altre sessioni sono state chiuse.',
      'Se non l’ha fatto lei, chieda subito una nuova password.',
    ],
  },
  SESSION_ENDED_BY_REUSE: {
    subject: 'Una sessione è stata chiusa per la sua sicurezza',
    lines: [
      'Un token di una delle sue sessioni è stato usato una seconda volta, cosa che accade quando è stato copiato. La sessione è stata chiusa.',
      'Acceda di nuovo. Se non sa con certezza chi può usare i suoi dispositivi, cambi la password.',
    ],
  },
  GLASS_BROKEN: {
    subject: 'Un amministratore ha aperto un suo record',
    lines: [
      'In data {time} un amministratore di questo servizio ha dichiarato un’emergenza e può leggere un suo record per {minutes} minuti.',
      'Acceda per vedere quale: lo indicano le sue notifiche, e il suo registro di controllo dice quando è stato letto. Il motivo è conservato per i revisori.',
      'Se non se lo aspettava, chieda al gestore del servizio.',
    ],
  },
  IDENTITY_LINKED: {
    subject: 'Il suo account è ora collegato a un provider di identità',
    lines: [
      'Qualcuno ha effettuato l’accesso tramite {provider} con questo indirizzo, che il provider ha verificato, ed è entrato nel suo account. D’ora in poi quell’accesso lo apre.',
      'Se non l’ha fatto lei, metta al sicuro il suo account presso il provider, rimuova l’identità dal suo account e cambi la password.',
    ],
  },
  IDENTITY_UNLINKED: {
    subject: 'Un provider di identità è stato rimosso dal suo account',
    lines: [
      'L’accesso tramite {provider} non apre più il suo account e tutte le altre sessioni sono state chiuse.',
      'Se non l’ha fatto lei, chieda subito una nuova password.',
    ],
  },
  SECOND_FACTOR_ON: {
    subject: 'Un secondo fattore è stato attivato',
    lines: [
      'D’ora in poi per accedere serve un codice della sua app di autenticazione. Tutte le altre sessioni sono state chiuse.',
      'Conservi i codici di recupero dove può trovarli senza il telefono: ciascuno apre l’account una volta.',
      'Se non l’ha fatto lei, chieda subito una nuova password e scriva al gestore del servizio.',
    ],
  },
  SECOND_FACTOR_OFF: {
    subject: 'Il suo secondo fattore è stato disattivato',
    lines: [
      'D’ora in poi per aprire il suo account basta la password. Tutte le altre sessioni sono state chiuse.',
      'Se non l’ha fatto lei, chieda subito una nuova password e poi riattivi il secondo fattore.',
    ],
  },
  SECOND_FACTOR_REMOVED: {
    subject: 'Un amministratore ha rimosso il secondo fattore dal suo account',
    lines: [
      'D’ora in poi per aprire il suo account basta la password, finché non configura di nuovo un secondo fattore. Tutte le sessioni sono state chiuse.',
      'Se non l’ha chiesto lei, chieda subito una nuova password e scriva al gestore del servizio.',
    ],
  },
  RECOVERY_CODES_RENEWED: {
    subject: 'Ha nuovi codici di recupero',
    lines: [
      'Per il suo account sono stati creati nuovi codici di recupero; quelli vecchi non sono più validi.',
      'Se non l’ha fatto lei, chieda subito una nuova password.',
    ],
  },
  RECOVERY_CODE_USED: {
    subject: 'Accesso con un codice di recupero',
    lines: [
      'Qualcuno è entrato nel suo account con uno dei codici di recupero. Codici rimasti: {left}.',
      'Se non l’ha fatto lei, chieda subito una nuova password e poi crei nuovi codici di recupero.',
    ],
  },
  ENTERPRISE_MODE_ON: {
    subject: 'Il suo account è ora in modalità aziendale',
    lines: [
      'D’ora in poi per il suo account valgono regole più severe: serve un secondo fattore e le sessioni sono più brevi.',
      'Se non ha ancora un secondo fattore, prima di tutto le verrà chiesto di configurarne uno.',
    ],
  },
  ENTERPRISE_MODE_OFF: {
    subject: 'Il suo account non è più in modalità aziendale',
    lines: [
      'Le regole più severe non valgono più per il suo account. Il secondo fattore resta attivo finché non lo disattiva.',
      'Se non se lo aspettava, scriva al gestore del servizio.',
    ],
  },
  NEW_DEVICE_LOGIN: {
    subject: 'Accesso da un nuovo dispositivo',
    lines: [
      'Qualcuno, forse lei, è entrato nel suo account da un dispositivo e da una rete mai usati prima: {agent}, rete {network}, {time}.',
      'Se non era lei, scelga subito una nuova password: così tutte le sessioni vengono chiuse.',
    ],
  },
  DATA_EXPORTED: {
    subject: 'È stata creata una copia dei suoi dati',
    lines: [
      'Un archivio di tutti i suoi dati è stato creato e scaricato dal suo account.',
      'Se non l’ha fatto lei, cambi subito la password.',
    ],
  },
  DATA_EXPORT_READY: {
    subject: 'È stata creata una copia dei suoi dati',
    lines: [
      'L’archivio dei suoi dati che ha richiesto è pronto. Acceda e lo scarichi prima dell’eliminazione, prevista in data {time}.',
      'Se non l’ha fatto lei, cambi subito la password.',
    ],
  },
  ACCOUNT_ERASED: {
    subject: 'Il suo account è stato eliminato',
    lines: [
      'Il suo account è stato eliminato, come ha chiesto: nessuno può più accedere e i suoi codici non mostrano più nulla. Le immagini e gli altri file sono in corso di eliminazione.',
      'L’operazione non si può annullare. Il suo indirizzo è libero per un nuovo account. Questa è l’ultima e-mail che riceve da noi.',
    ],
  },
  NOTIFICATION: {
    open: 'Per saperne di più, acceda al suo account.',
    answer: 'Leggere e rispondere senza accedere:',
    when: 'Ora: {time}',
    page: 'La pagina del codice, come la vedono gli altri; aperta da questo link non conta come scansione:',
    more: 'Per saperne di più:',
    unsubscribe: 'Non ricevere più e-mail di questo tipo:',
    stopTitle: 'Non ricevere più e-mail di questo tipo?',
    stopKind: 'E-mail di questo tipo: {kind}.',
    kinds: {
      QR_CODE_SCANNED: 'scansioni dei suoi codici',
      LOST_CODE_SCANNED: 'scansioni di un codice smarrito',
      SCAN_LOCATED: 'posizioni indicate',
      MESSAGE_RECEIVED: 'messaggi sui suoi codici',
      PIN_REJECTED: 'PIN sbagliati',
      GUEST_BOOK_SIGNED: 'messaggi nei suoi libri degli ospiti',
      BIRTH_ANNIVERSARY: 'compleanni di chi lei ricorda',
      DEATH_ANNIVERSARY: 'anniversari della morte',
      CODE_EXPIRING: 'codici che scadono presto',
      CODE_EXPIRED: 'codici scaduti',
      DOCUMENT_EXPIRING: 'documenti che scadono presto',
      DOCUMENT_EXPIRED: 'documenti in scadenza',
      ANSWER_RECEIVED: 'risposte al suo messaggio',
    },
    damagedTitle: 'Questo link è danneggiato',
    damagedText: 'È incompleto o è stato modificato. Lo apra di nuovo dall’e-mail, così com’è.',
    stop: 'Interrompi queste e-mail',
    stopped: 'Non riceverà più e-mail di questo tipo.',
  },
  ANSWER_RECEIVED: {
    subject: 'Una risposta al suo messaggio',
    lines: [
      'Il proprietario del codice che ha scansionato le ha risposto. Legga la risposta qui:',
      '{link}',
      'Il link è solo per lei. Nella pagina può anche indicare che non desidera altre e-mail.',
    ],
  },
};
