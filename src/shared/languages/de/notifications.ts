/** What people are told of: `title` in lists and pushes, `body` below it. */
export const notifications = {
  QR_CODE_SCANNED: { title: '„{code}“ wurde gescannt', body: 'Ihr Code „{code}“ wurde gescannt.' },
  QR_CODE_SCANNED_NEAR: {
    title: '„{code}“ wurde gescannt',
    body: 'Ihr Code „{code}“ wurde in der Nähe von {place} gescannt.',
  },
  LOST_CODE_SCANNED: {
    title: 'Vermisst: „{code}“ wurde gescannt',
    body: 'Ihr Code „{code}“ wurde gescannt.',
  },
  LOST_CODE_SCANNED_NEAR: {
    title: 'Vermisst: „{code}“ wurde gescannt',
    body: 'Ihr Code „{code}“ wurde in der Nähe von {place} gescannt.',
  },
  SCAN_LOCATED: {
    title: 'Standort zu „{code}“',
    body: 'Jemand hat Ihren Code „{code}“ gescannt und den eigenen Standort mitgeteilt.',
  },
  SCAN_LOCATED_NEAR: {
    title: 'Standort zu „{code}“',
    body: 'Jemand hat Ihren Code „{code}“ gescannt und den eigenen Standort mitgeteilt, in der Nähe von {place}.',
  },
  MESSAGE_RECEIVED: {
    title: 'Nachricht zu „{code}“',
    body: 'Jemand hat Ihren Code „{code}“ gescannt und Ihnen geschrieben.',
  },
  PIN_REJECTED: {
    title: 'Falsche PINs für „{code}“',
    body: 'Jemand hat für Ihren Code „{code}“ falsche PINs eingegeben. Was die PIN schützt, wurde nicht gezeigt.',
  },
  GUEST_BOOK_SIGNED: {
    title: 'Eintrag im Gästebuch von {remembered}',
    body: 'Jemand hat in das Gästebuch von {remembered} geschrieben. Zu sehen ist der Eintrag dort, sobald Sie ihn freigeben.',
  },
  CARETAKER_NAMED: {
    title: 'Sie können bei einer Gedenktafel mithelfen',
    body: 'Jemand lässt Sie bei einer Gedenktafel mithelfen: bei Texten, Bildern und Gästebuch. Sie steht in Ihrer Liste der Gedenktafeln von anderen.',
  },
  BIRTH_ANNIVERSARY: {
    title: '{remembered}: ein Geburtstag zum Erinnern',
    body: 'Geburtstag von {remembered}: {date}.',
  },
  DEATH_ANNIVERSARY: {
    title: '{remembered}: ein Tag des Gedenkens',
    body: 'Todestag von {remembered}: {date}.',
  },
  CODE_EXPIRING: {
    title: '„{code}“ läuft bald ab',
    body: 'Ihr Code „{code}“ läuft am {date} ab. Danach zeigt er nichts mehr.',
  },
  CODE_EXPIRED: {
    title: '„{code}“ ist abgelaufen',
    body: 'Ihr Code „{code}“ ist abgelaufen und zeigt nichts mehr.',
  },
  DOCUMENT_INFECTED: {
    title: 'Eine Datei von „{document}“ wurde entfernt',
    body: 'In einer Datei Ihres Dokuments „{document}“ wurde Schadsoftware gefunden, die Datei wurde entfernt. Bitte prüfen Sie das Gerät, von dem sie stammt.',
  },
  DOCUMENT_EXPIRING: {
    title: '„{document}“ läuft bald ab',
    body: 'Ihr Dokument „{document}“ ist gültig bis {date}.',
  },
  DOCUMENT_EXPIRED: {
    title: '„{document}“ läuft am {date} ab',
    body: 'Ihr Dokument „{document}“ ist gültig bis {date}.',
  },
  DOCUMENT_OPENED: {
    title: '„{document}“ wurde geöffnet',
    body: 'Jemand hat Ihr Dokument „{document}“ geöffnet. Wodurch, steht in der Liste der Zugriffe auf das Dokument.',
  },
  DOCUMENT_GIVEN: {
    title: 'Sie haben ein Dokument zum Lesen erhalten',
    body: 'Jemand hat Ihnen ein Dokument zum Lesen gegeben. Es steht in Ihrer Liste der Dokumente von anderen.',
  },
  PASSCODE_REJECTED: {
    title: 'Falsche Zugangscodes für „{document}“',
    body: 'Jemand hat für einen Link zu Ihrem Dokument „{document}“ falsche Zugangscodes eingegeben. Es wurde nicht geöffnet.',
  },
  SCANS_DIGEST: {
    title: { one: 'Ein Scan Ihrer Codes', other: '{count} Scans Ihrer Codes' },
    body: 'Seit {time}: {codes}.',
  },
  SUBSCRIPTION_STARTED: {
    title: 'Ihr Abonnement hat begonnen',
    body: 'Sie haben jetzt das Paket „{package}“. Vielen Dank.',
  },
  SUBSCRIPTION_CHANGED: {
    title: 'Ihr Abonnement wurde geändert',
    body: 'Sie haben jetzt das Paket „{package}“.',
  },
  SUBSCRIPTION_ENDING: {
    title: 'Ihr Abonnement endet am {date}',
    body: 'Das Paket „{package}“ endet mit dem bezahlten Zeitraum; bis dahin können Sie es noch behalten. Ihre Codes funktionieren in jedem Fall weiter.',
  },
  SUBSCRIPTION_ENDED: {
    title: 'Ihr Abonnement ist beendet',
    body: 'Das Paket „{package}“ ist beendet. Gedruckte Codes funktionieren weiter; was über das kostenlose Paket hinausgeht, lässt sich ab jetzt nur noch lesen.',
  },
  SUBSCRIPTION_PAUSED: {
    title: 'Ihr Abonnement ruht',
    body: 'Das Paket „{package}“ ruht. Gedruckte Codes funktionieren weiter.',
  },
  SUBSCRIPTION_RESUMED: {
    title: 'Ihr Abonnement läuft weiter',
    body: 'Sie haben das Paket „{package}“ wieder.',
  },
  TRIAL_ENDING: {
    title: 'Ihre Testphase endet am {date}',
    body: 'Danach wird das Paket „{package}“ berechnet, sofern Sie es nicht vorher kündigen.',
  },
  PAYMENT_RECEIVED: {
    title: 'Ihre Zahlung von {amount} ist eingegangen',
    body: 'Vielen Dank. Sie haben {amount} für „{package}“ bezahlt, {period}. Alle Rechnungen finden Sie in Ihrem Konto unter „Abonnement“.',
  },
  PAYMENT_FAILED: {
    title: 'Ihre Zahlung von {amount} ist fehlgeschlagen',
    body: '{amount} für „{package}“ konnten nicht eingezogen werden. Bitte prüfen Sie Ihr Zahlungsmittel in Ihrem Konto unter „Abonnement“. Gedruckte Codes funktionieren weiter.',
  },
  PAYMENT_ACTION_NEEDED: {
    title: 'Bitte bestätigen Sie eine Zahlung von {amount}',
    body: 'Ihre Bank möchte, dass Sie die Zahlung von {amount} für „{package}“ bestätigen. Öffnen Sie die Rechnung in Ihrem Konto unter „Abonnement“.',
  },
  PAYMENT_REFUNDED: {
    title: '{amount} erstattet',
    body: 'Wir haben Ihnen {amount} für „{package}“ erstattet. Bis der Betrag auf Ihrem Konto erscheint, können einige Tage vergehen.',
  },
  PAYMENT_DISPUTED: {
    title: 'Eine Zahlung von {amount} wird bestritten',
    body: 'Ihre Bank fordert {amount} für „{package}“ zurück. Falls das ein Irrtum ist, wenden Sie sich bitte an Ihre Bank.',
  },
  SCANS_DIGEST_NEAR: {
    title: { one: 'Ein Scan Ihrer Codes', other: '{count} Scans Ihrer Codes' },
    body: 'Seit {time}: {codes}. Zuletzt in der Nähe von {place}.',
  },
  NEW_LOGIN: {
    title: 'Neue Anmeldung',
    body: 'Jemand hat sich in Ihrem Konto angemeldet. Falls Sie das nicht waren, ändern Sie Ihr Passwort und beenden Sie die Sitzung.',
  },
  PASSWORD_CHANGED: {
    title: 'Ihr Passwort wurde geändert',
    body: 'Alle anderen Sitzungen wurden beendet. Falls Sie das nicht waren, fordern Sie sofort ein neues Passwort an.',
  },
  SECOND_FACTOR_ON: {
    title: 'Zweiter Faktor eingeschaltet',
    body: 'Alle anderen Sitzungen wurden beendet. Falls Sie das nicht waren, ändern Sie Ihr Passwort.',
  },
  SECOND_FACTOR_OFF: {
    title: 'Zweiter Faktor ausgeschaltet',
    body: 'Alle anderen Sitzungen wurden beendet. Falls Sie das nicht waren, ändern Sie Ihr Passwort.',
  },
  ROLE_CHANGED: {
    title: 'Ihre Rolle wurde geändert',
    body: 'Ein Administrator hat Ihre Rolle geändert. Ihre neue Rolle: {role}.',
  },
  GLASS_BROKEN: {
    title: 'Ein Administrator hat einen Ihrer Datensätze geöffnet',
    body: 'Er kann eine Viertelstunde lang gelesen werden, weil ein Notfall angegeben wurde. Wer was gelesen hat, steht in Ihrem Prüfprotokoll.',
  },
};
