import type { Catalogue } from '../catalogue.ts';

/** Mails: their subject, and one paragraph a line. Times are put in as the reader's language writes them, in UTC. */
export const mails: Catalogue['mails'] = {
  OTP: {
    subject: '{otp} ist Ihr Bestätigungscode',
    lines: [
      'Ihr Bestätigungscode: {otp}',
      'Er gilt für die Registrierung vom {time} mit dem dabei gewählten Passwort. Er funktioniert einmal, innerhalb von {minutes} Minuten.',
      'Falls Sie sich zu dieser Zeit nicht registriert haben, ignorieren Sie diese E-Mail und geben Sie den Code niemandem: Wer ihn hat, kann mit Ihrer Adresse ein Konto eröffnen.',
    ],
  },
  OTP_CHOICE: {
    subject: '{codes} ist Ihr Bestätigungscode: bitte auswählen',
    or: '{one} oder {other}',
    choice: '{otp} für die Registrierung vom {time}',
    lines: [
      'Diese Adresse wurde mehrmals registriert, mit verschiedenen Passwörtern. Geben Sie den Code Ihrer eigenen Registrierung ein; Sie erkennen sie an der Zeit:',
      'Der Code, den Sie eingeben, entscheidet, welches Passwort das Konto öffnet. Er funktioniert einmal, innerhalb von {minutes} Minuten.',
      'Stammt eine Registrierung nicht von Ihnen, geben Sie deren Code nicht ein und geben Sie ihn niemandem: Wer sich so registriert hat, würde das Passwort kennen. Stammt keine von Ihnen, ignorieren Sie diese E-Mail.',
    ],
  },
  ALREADY_REGISTERED: {
    subject: 'Sie haben bereits ein Konto',
    lines: [
      'Jemand, vielleicht Sie selbst, wollte diese Adresse registrieren. Es gibt für sie bereits ein Konto; geändert wurde nichts.',
      'Wenn Sie Ihr Passwort vergessen haben, fordern Sie auf der Anmeldeseite ein neues an.',
    ],
  },
  PASSWORD_RESET: {
    subject: 'Wählen Sie ein neues Passwort',
    lines: [
      'Jemand, vielleicht Sie selbst, hat für diese Adresse ein neues Passwort angefordert. Über diesen Link können Sie es wählen:',
      '{link}',
      'Er funktioniert einmal, innerhalb von {minutes} Minuten. Falls Sie das nicht waren, ignorieren Sie diese E-Mail; Ihr Passwort bleibt, wie es ist.',
    ],
  },
  PASSWORD_RESET_DONE: {
    subject: 'Ihr Passwort wurde ersetzt',
    lines: [
      'Ihr Passwort wurde über einen Link ersetzt, der an diese Adresse ging. Alle Sitzungen wurden beendet.',
      'Falls Sie das nicht waren, fordern Sie sofort ein neues Passwort an.',
    ],
  },
  PASSWORD_CHANGED: {
    subject: 'Ihr Passwort wurde geändert',
    lines: [
      'Ihr Passwort wurde geändert. Alle anderen Sitzungen wurden beendet.',
      'Falls Sie das nicht waren, fordern Sie sofort ein neues Passwort an.',
    ],
  },
  SESSION_ENDED_BY_REUSE: {
    subject: 'Eine Sitzung wurde zu Ihrer Sicherheit beendet',
    lines: [
      'Ein Token einer Ihrer Sitzungen wurde ein zweites Mal verwendet. Das kommt vor, wenn es kopiert wurde. Die Sitzung wurde beendet.',
      'Melden Sie sich neu an. Wenn Sie nicht sicher sind, wer Zugriff auf Ihre Geräte hat, ändern Sie Ihr Passwort.',
    ],
  },
  GLASS_BROKEN: {
    subject: 'Ein Administrator hat einen Ihrer Datensätze geöffnet',
    lines: [
      'Am {time} hat ein Administrator dieses Dienstes einen Notfall angegeben und darf {minutes} Minuten lang einen Ihrer Datensätze lesen.',
      'Melden Sie sich an, um zu sehen, welchen: Er ist in Ihren Benachrichtigungen genannt, und in Ihrem Prüfprotokoll steht, wann er gelesen wurde. Der Grund bleibt für Prüfer gespeichert.',
      'Wenn Sie damit nicht gerechnet haben, fragen Sie den Betreiber des Dienstes.',
    ],
  },
  IDENTITY_LINKED: {
    subject: 'Ihr Konto ist jetzt mit einem Identitätsanbieter verknüpft',
    lines: [
      'Jemand hat sich bei {provider} mit dieser Adresse angemeldet, die dort bestätigt ist, und so Zugang zu Ihrem Konto erhalten. Ab jetzt öffnet diese Anmeldung Ihr Konto.',
      'Falls Sie das nicht waren, sichern Sie Ihr Konto beim Anbieter, entfernen Sie die Identität aus Ihrem Konto und ändern Sie Ihr Passwort.',
    ],
  },
  IDENTITY_UNLINKED: {
    subject: 'Ein Identitätsanbieter wurde aus Ihrem Konto entfernt',
    lines: [
      'Die Anmeldung bei {provider} öffnet Ihr Konto nicht mehr. Alle anderen Sitzungen wurden beendet.',
      'Falls Sie das nicht waren, fordern Sie sofort ein neues Passwort an.',
    ],
  },
  SECOND_FACTOR_ON: {
    subject: 'Ein zweiter Faktor wurde eingeschaltet',
    lines: [
      'Ab jetzt ist zur Anmeldung ein Code Ihrer Authenticator-App nötig. Alle anderen Sitzungen wurden beendet.',
      'Bewahren Sie die Wiederherstellungscodes dort auf, wo Sie sie auch ohne Ihr Telefon finden: Jeder öffnet das Konto einmal.',
      'Falls Sie das nicht waren, fordern Sie sofort ein neues Passwort an und schreiben Sie dem Betreiber des Dienstes.',
    ],
  },
  SECOND_FACTOR_OFF: {
    subject: 'Ihr zweiter Faktor wurde ausgeschaltet',
    lines: [
      'Ab jetzt öffnet das Passwort allein Ihr Konto. Alle anderen Sitzungen wurden beendet.',
      'Falls Sie das nicht waren, fordern Sie sofort ein neues Passwort an und schalten Sie dann den zweiten Faktor wieder ein.',
    ],
  },
  SECOND_FACTOR_REMOVED: {
    subject: 'Ein Administrator hat den zweiten Faktor aus Ihrem Konto entfernt',
    lines: [
      'Ab jetzt öffnet das Passwort allein Ihr Konto, bis Sie wieder einen zweiten Faktor einrichten. Alle Sitzungen wurden beendet.',
      'Wenn Sie nicht darum gebeten haben, fordern Sie sofort ein neues Passwort an und schreiben Sie dem Betreiber des Dienstes.',
    ],
  },
  RECOVERY_CODES_RENEWED: {
    subject: 'Sie haben neue Wiederherstellungscodes',
    lines: [
      'Für Ihr Konto wurden neue Wiederherstellungscodes erstellt; die alten sind ungültig.',
      'Falls Sie das nicht waren, fordern Sie sofort ein neues Passwort an.',
    ],
  },
  RECOVERY_CODE_USED: {
    subject: 'Anmeldung mit einem Wiederherstellungscode',
    lines: [
      'Jemand hat sich mit einem Ihrer Wiederherstellungscodes in Ihrem Konto angemeldet. Verbleibende Codes: {left}.',
      'Falls Sie das nicht waren, fordern Sie sofort ein neues Passwort an und erstellen Sie dann neue Wiederherstellungscodes.',
    ],
  },
  ENTERPRISE_MODE_ON: {
    subject: 'Ihr Konto ist jetzt im Unternehmensmodus',
    lines: [
      'Ab jetzt gelten für Ihr Konto strengere Regeln: Ein zweiter Faktor ist nötig, und Sitzungen sind kürzer.',
      'Wenn Sie noch keinen zweiten Faktor haben, werden Sie zuerst gebeten, einen einzurichten.',
    ],
  },
  ENTERPRISE_MODE_OFF: {
    subject: 'Ihr Konto ist nicht mehr im Unternehmensmodus',
    lines: [
      'Die strengeren Regeln gelten für Ihr Konto nicht mehr. Ein zweiter Faktor bleibt, bis Sie ihn ausschalten.',
      'Wenn Sie damit nicht gerechnet haben, schreiben Sie dem Betreiber des Dienstes.',
    ],
  },
  NEW_DEVICE_LOGIN: {
    subject: 'Anmeldung von einem neuen Gerät',
    lines: [
      'Jemand, vielleicht Sie selbst, hat sich in Ihrem Konto von einem Gerät und aus einem Netzwerk angemeldet, die dafür noch nie verwendet wurden: {agent}, Netzwerk {network}, {time}.',
      'Falls Sie das nicht waren, wählen Sie sofort ein neues Passwort: Damit werden alle Sitzungen beendet.',
    ],
  },
  DATA_EXPORTED: {
    subject: 'Eine Kopie Ihrer Daten wurde erstellt',
    lines: [
      'Ein Archiv aller Ihrer Daten wurde erstellt und aus Ihrem Konto abgerufen.',
      'Falls Sie das nicht waren, ändern Sie sofort Ihr Passwort.',
    ],
  },
  DATA_EXPORT_READY: {
    subject: 'Eine Kopie Ihrer Daten wurde erstellt',
    lines: [
      'Das angeforderte Archiv Ihrer Daten ist fertig. Melden Sie sich an und rufen Sie es vor dem {time} ab; danach wird es gelöscht.',
      'Falls Sie das nicht waren, ändern Sie sofort Ihr Passwort.',
    ],
  },
  ACCOUNT_ERASED: {
    subject: 'Ihr Konto wurde gelöscht',
    lines: [
      'Ihr Konto wurde gelöscht, wie Sie es gewünscht haben: Niemand kann sich mehr anmelden, und Ihre Codes zeigen nichts mehr. Bilder und andere Dateien werden gerade entfernt.',
      'Das lässt sich nicht rückgängig machen. Ihre Adresse ist für ein neues Konto frei. Dies ist die letzte E-Mail, die Sie von uns erhalten.',
    ],
  },
  NOTIFICATION: {
    open: 'Melden Sie sich an, um mehr zu sehen.',
    answer: 'Lesen und antworten, ohne sich anzumelden:',
    when: 'Zeit: {time}',
    page: 'Die Seite des Codes, wie andere sie sehen; über diesen Link geöffnet, zählt sie nicht als Scan:',
    more: 'Hier sehen Sie mehr:',
    unsubscribe: 'Keine E-Mails dieser Art mehr erhalten:',
    stopTitle: 'Keine E-Mails dieser Art mehr?',
    stopKind: 'E-Mails dieser Art: {kind}.',
    kinds: {
      QR_CODE_SCANNED: 'Scans Ihrer Codes',
      LOST_CODE_SCANNED: 'Scans eines vermissten Codes',
      SCAN_LOCATED: 'mitgeteilte Standorte',
      MESSAGE_RECEIVED: 'Nachrichten zu Ihren Codes',
      PIN_REJECTED: 'falsche PINs',
      GUEST_BOOK_SIGNED: 'Einträge in Ihren Gästebüchern',
      BIRTH_ANNIVERSARY: 'Geburtstage von Verstorbenen',
      DEATH_ANNIVERSARY: 'Todestage',
      CODE_EXPIRING: 'Codes, die bald ablaufen',
      CODE_EXPIRED: 'abgelaufene Codes',
      DOCUMENT_EXPIRING: 'Dokumente, die bald ablaufen',
      DOCUMENT_EXPIRED: 'Dokumente, die ablaufen',
      ANSWER_RECEIVED: 'Antworten auf Ihre Nachricht',
    },
    damagedTitle: 'Dieser Link ist beschädigt',
    damagedText:
      'Er ist unvollständig oder wurde verändert. Öffnen Sie ihn noch einmal aus der E-Mail, so wie er dort steht.',
    stop: 'Diese E-Mails abbestellen',
    stopped: 'Sie erhalten keine E-Mails dieser Art mehr.',
  },
  ANSWER_RECEIVED: {
    subject: 'Eine Antwort auf Ihre Nachricht',
    lines: [
      'Der Besitzer des Codes, den Sie gescannt haben, hat Ihnen geantwortet. Lesen Sie die Antwort hier:',
      '{link}',
      'Der Link ist nur für Sie. Auf der Seite können Sie auch angeben, dass Sie keine E-Mails mehr möchten.',
    ],
  },
};
