/** The pages of codes, for whoever scans one; `{name}` stands for a value. */
export const finder = {
  cardTitle: 'Ein Code für die Person, die ihn findet',
  cardText: 'Öffnen Sie ihn: Sie sehen, was der Besitzer Ihnen mitteilt, und können ihm schreiben.',
  languages: 'Andere Sprachen',
  pageTitle: '{kind}: Das teilt Ihnen der Besitzer mit',
  nothingPublic: 'Der Besitzer zeigt hier nichts öffentlich.',
  shortened: 'Einiges ist zu lang für diese Seite und wurde weggelassen.',
  yes: 'Ja',
  no: 'Nein',

  lostTitle: 'Wird vermisst',
  lostText: 'Der Besitzer ist auf der Suche. Danke für Ihre Hilfe.',
  reward: 'Finderlohn: {reward}',

  onwardText: 'Dieser Code führt zu {host}.',
  onwardLink: 'Weiter zu {host}',
  mapLink: 'Auf der Karte zeigen',

  call: '{name} anrufen',
  wifiText: 'Um ein anderes Telefon mit dem WLAN zu verbinden, scannen Sie damit diesen Code:',

  pinTitle: 'Mehr mit PIN',
  pinText: 'Wer die PIN hat, sieht weitere Angaben.',
  pinLabel: 'PIN, 4 bis 12 Ziffern',
  pinButton: 'Mehr zeigen',
  pinWrong: 'Die PIN ist falsch.',
  pinTries: { one: 'Sie haben noch einen Versuch.', other: 'Sie haben noch {count} Versuche.' },
  pinShape: 'Eine PIN hat 4 bis 12 Ziffern.',
  pinNoTries: 'Sie haben keine Versuche mehr.',
  pinTooMany: 'Zu viele Versuche.',
  pinBusy:
    'Gerade geben andere die PIN ein. Warten Sie einige Sekunden und versuchen Sie es dann noch einmal.',
  waitMinutes: {
    one: 'Warten Sie eine Minute und versuchen Sie es dann noch einmal.',
    other: 'Warten Sie {count} Minuten und versuchen Sie es dann noch einmal.',
  },
  waitHours: {
    one: 'Warten Sie eine Stunde und versuchen Sie es dann noch einmal.',
    other: 'Warten Sie {count} Stunden und versuchen Sie es dann noch einmal.',
  },
  pinStale: 'Diese Seite war lange geöffnet. Bitte geben Sie die PIN noch einmal ein.',
  pinLater:
    'Sie haben diese Seite sehr oft geöffnet. Warten Sie eine Minute und öffnen Sie sie erneut, um die PIN einzugeben.',

  shareTitle: 'Mitteilen, wo Sie sind',
  shareText: 'Der Besitzer sieht genau das, was Sie hier angeben. Sonst sieht es niemand.',
  shareLabel: 'Ein Ort in Ihren eigenen Worten oder ein Link aus der Karte Ihres Telefons',
  shareButton: 'Diesen Ort mitteilen',
  sharePosition: 'Standort dieses Telefons verwenden',
  sharePositionFailed:
    'Der Standort dieses Telefons lässt sich nicht ermitteln. Geben Sie den Ort bitte selbst ein.',
  shareEmpty: 'Geben Sie einen Ort ein oder fügen Sie einen Link aus einer Karte ein.',
  shareDone: 'Danke. Der Besitzer sieht jetzt, wo Sie sind.',
  shareTooMany: 'Sie haben viele Orte mitgeteilt. Der Besitzer hat sie alle erhalten.',

  unclaimedTitle: 'Dieser Code ist noch frei',
  unclaimedText: 'Für diesen Code ist noch nichts hinterlegt.',

  unknownTitle: 'Hier ist nichts',
  unknownText:
    'Diesen Code gibt es nicht, oder er wurde gelöscht. Prüfen Sie die Adresse oder scannen Sie den Code noch einmal.',
  pausedTitle: 'Zurzeit ausgeschaltet',
  pausedText: 'Der Besitzer hat diesen Code ausgeschaltet. Vielleicht funktioniert er später wieder.',
  expiredTitle: 'Dieser Code ist abgelaufen',
  expiredText: 'Der Besitzer hat diesen Code auslaufen lassen. Hier wird nichts mehr angezeigt.',
  closedWrite: 'Sie können dem Besitzer trotzdem schreiben.',
  limitedTitle: 'Zu viele Anfragen',
  limitedText: 'Warten Sie eine Minute und versuchen Sie es dann noch einmal.',
  refusedTitle: 'Das hat nicht geklappt',
  refusedText: 'Die gesendeten Daten sind nicht lesbar. Scannen Sie den Code noch einmal.',
  failedTitle: 'Gerade nicht erreichbar',
  failedText: 'Es liegt nicht an Ihnen. Versuchen Sie es gleich noch einmal.',
  testLinkTitle: 'Dieser Link wurde schon benutzt oder ist abgelaufen',
  testLinkText: 'Ein Testlink funktioniert nur einmal und nur für kurze Zeit. Erstellen Sie einen neuen.',
};
