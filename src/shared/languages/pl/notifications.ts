/** What people are told of: `title` in lists and pushes, `body` below it. */
export const notifications = {
  QR_CODE_SCANNED: { title: 'Zeskanowano „{code}”', body: 'Ktoś zeskanował Twój kod „{code}”.' },
  QR_CODE_SCANNED_NEAR: {
    title: 'Zeskanowano „{code}”',
    body: 'Ktoś zeskanował Twój kod „{code}”. Przybliżone miejsce: {place}.',
  },
  LOST_CODE_SCANNED: { title: 'Zaginęło: zeskanowano „{code}”', body: 'Ktoś zeskanował Twój kod „{code}”.' },
  LOST_CODE_SCANNED_NEAR: {
    title: 'Zaginęło: zeskanowano „{code}”',
    body: 'Ktoś zeskanował Twój kod „{code}”. Przybliżone miejsce: {place}.',
  },
  SCAN_LOCATED: {
    title: 'Podano miejsce: „{code}”',
    body: 'Osoba, która zeskanowała Twój kod „{code}”, podała, gdzie jest.',
  },
  SCAN_LOCATED_NEAR: {
    title: 'Podano miejsce: „{code}”',
    body: 'Osoba, która zeskanowała Twój kod „{code}”, podała, gdzie jest. Przybliżone miejsce: {place}.',
  },
  MESSAGE_RECEIVED: {
    title: 'Wiadomość w sprawie „{code}”',
    body: 'Osoba, która zeskanowała Twój kod „{code}”, napisała do Ciebie.',
  },
  PIN_REJECTED: {
    title: 'Błędny PIN do „{code}”',
    body: 'Ktoś kilka razy wpisał błędny PIN do Twojego kodu „{code}”. Dane chronione kodem PIN nie zostały pokazane.',
  },
  GUEST_BOOK_SIGNED: {
    title: 'Wpis w księdze gości: {remembered}',
    body: 'Pojawił się nowy wpis w księdze gości: {remembered}. Będzie tam widoczny, gdy go zatwierdzisz.',
  },
  CARETAKER_NAMED: {
    title: 'Możesz pomagać przy tabliczce pamięci',
    body: 'Ktoś pozwala Ci pomagać przy tabliczce pamięci: przy tekstach, zdjęciach i księdze gości. Znajdziesz ją na liście tabliczek innych osób.',
  },
  BIRTH_ANNIVERSARY: {
    title: '{remembered}: rocznica urodzin',
    body: '{remembered}, data urodzenia: {date}.',
  },
  DEATH_ANNIVERSARY: {
    title: '{remembered}: rocznica śmierci',
    body: '{remembered}, data śmierci: {date}.',
  },
  CODE_EXPIRING: {
    title: '„{code}” wkrótce wygaśnie',
    body: 'Twój kod „{code}” wygaśnie {date}. Potem nie będzie już nic pokazywać.',
  },
  CODE_EXPIRED: {
    title: '„{code}” – kod wygasł',
    body: 'Twój kod „{code}” wygasł i nic już nie pokazuje.',
  },
  DOCUMENT_INFECTED: {
    title: 'Usunięto plik dokumentu „{document}”',
    body: 'W pliku Twojego dokumentu „{document}” wykryto złośliwe oprogramowanie, dlatego plik został usunięty. Sprawdź urządzenie, z którego pochodzi.',
  },
  DOCUMENT_EXPIRING: {
    title: '„{document}” wkrótce straci ważność',
    body: 'Twój dokument „{document}” jest ważny do {date}.',
  },
  DOCUMENT_EXPIRED: {
    title: '„{document}” traci ważność {date}',
    body: 'Twój dokument „{document}” jest ważny do {date}.',
  },
  DOCUMENT_OPENED: {
    title: 'Otwarto „{document}”',
    body: 'Ktoś otworzył Twój dokument „{document}”. W jaki sposób, podaje lista odczytów dokumentu.',
  },
  DOCUMENT_GIVEN: {
    title: 'Masz nowy dokument do przeczytania',
    body: 'Ktoś przekazał Ci dokument do przeczytania. Znajdziesz go na liście dokumentów od innych osób.',
  },
  PASSCODE_REJECTED: {
    title: 'Błędne kody dostępu do „{document}”',
    body: 'Ktoś wpisał błędne kody dostępu do linku do Twojego dokumentu „{document}”. Dokument nie został otwarty.',
  },
  SCANS_DIGEST: {
    title: {
      one: 'Jeden skan Twoich kodów',
      few: '{count} skany Twoich kodów',
      many: '{count} skanów Twoich kodów',
      other: '{count} skanu Twoich kodów',
    },
    body: 'Od {time}: {codes}.',
  },
  SUBSCRIPTION_STARTED: {
    title: 'Twoja subskrypcja się rozpoczęła',
    body: 'Masz teraz pakiet „{package}”. Dziękujemy.',
  },
  SUBSCRIPTION_CHANGED: {
    title: 'Twoja subskrypcja została zmieniona',
    body: 'Masz teraz pakiet „{package}”.',
  },
  SUBSCRIPTION_ENDING: {
    title: 'Twoja subskrypcja kończy się {date}',
    body: 'Pakiet „{package}” kończy się wraz z opłaconym okresem; do tego czasu możesz go jeszcze zachować. Twoje kody będą działać tak czy inaczej.',
  },
  SUBSCRIPTION_ENDED: {
    title: 'Twoja subskrypcja się zakończyła',
    body: 'Pakiet „{package}” się zakończył. Wydrukowane kody nadal działają; to, co wykracza poza pakiet bezpłatny, można od teraz tylko czytać.',
  },
  SUBSCRIPTION_PAUSED: {
    title: 'Twoja subskrypcja jest wstrzymana',
    body: 'Pakiet „{package}” jest wstrzymany. Wydrukowane kody nadal działają.',
  },
  SUBSCRIPTION_RESUMED: {
    title: 'Twoja subskrypcja znów działa',
    body: 'Masz znowu pakiet „{package}”.',
  },
  TRIAL_ENDING: {
    title: 'Twój okres próbny kończy się {date}',
    body: 'Od tego dnia za pakiet „{package}” pobierana będzie opłata, chyba że wcześniej go anulujesz.',
  },
  PAYMENT_RECEIVED: {
    title: 'Otrzymaliśmy Twoją płatność: {amount}',
    body: 'Dziękujemy. Zapłacono {amount} za „{package}”, {period}. Wszystkie faktury są na Twoim koncie w części „Subskrypcja”.',
  },
  PAYMENT_FAILED: {
    title: 'Twoja płatność nie powiodła się: {amount}',
    body: 'Nie udało się pobrać {amount} za „{package}”. Sprawdź metodę płatności na swoim koncie w części „Subskrypcja”. Wydrukowane kody nadal działają.',
  },
  PAYMENT_ACTION_NEEDED: {
    title: 'Potwierdź płatność: {amount}',
    body: 'Twój bank prosi o potwierdzenie płatności {amount} za „{package}”. Otwórz fakturę na swoim koncie w części „Subskrypcja”.',
  },
  PAYMENT_REFUNDED: {
    title: 'Zwrot: {amount}',
    body: 'Zwróciliśmy Ci {amount} za „{package}”. Może minąć kilka dni, zanim kwota pojawi się na koncie bankowym.',
  },
  PAYMENT_DISPUTED: {
    title: 'Zakwestionowano płatność: {amount}',
    body: 'Twój bank żąda zwrotu {amount} za „{package}”. Jeśli to pomyłka, skontaktuj się z bankiem.',
  },
  SCANS_DIGEST_NEAR: {
    title: {
      one: 'Jeden skan Twoich kodów',
      few: '{count} skany Twoich kodów',
      many: '{count} skanów Twoich kodów',
      other: '{count} skanu Twoich kodów',
    },
    body: 'Od {time}: {codes}. Ostatnie przybliżone miejsce: {place}.',
  },
  NEW_LOGIN: {
    title: 'Nowe logowanie',
    body: 'Ktoś zalogował się na Twoje konto. Jeśli to nie Ty, zmień hasło i zakończ tę sesję.',
  },
  PASSWORD_CHANGED: {
    title: 'Twoje hasło zostało zmienione',
    body: 'Wszystkie inne sesje zostały zakończone. Jeśli to nie Ty, od razu poproś o nowe hasło.',
  },
  SECOND_FACTOR_ON: {
    title: 'Włączono drugi składnik logowania',
    body: 'Wszystkie inne sesje zostały zakończone. Jeśli to nie Ty, zmień hasło.',
  },
  SECOND_FACTOR_OFF: {
    title: 'Wyłączono drugi składnik logowania',
    body: 'Wszystkie inne sesje zostały zakończone. Jeśli to nie Ty, zmień hasło.',
  },
  ROLE_CHANGED: {
    title: 'Twoja rola została zmieniona',
    body: 'Administrator zmienił Twoją rolę. Nowa rola: {role}.',
  },
  GLASS_BROKEN: {
    title: 'Administrator otworzył Twoje dane',
    body: 'Może je czytać przez kwadrans z powodu zgłoszonej sytuacji awaryjnej. Kto co przeczytał, widać na Twojej liście audytu.',
  },
};
