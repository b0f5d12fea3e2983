import type { Catalogue } from '../catalogue.ts';

/** Mails: their subject, and one paragraph a line. Times are put in as the reader's language writes them, in UTC. */
export const mails: Catalogue['mails'] = {
  OTP: {
    subject: '{otp} to Twój kod potwierdzający',
    lines: [
      'Twój kod potwierdzający: {otp}',
      'Dotyczy rejestracji z {time} i podanego wtedy hasła. Kod działa jeden raz, przez {minutes} min.',
      'Jeśli to nie Twoja rejestracja, zignoruj tę wiadomość i nie podawaj kodu nikomu: kto go ma, może założyć konto na Twój adres.',
    ],
  },
  OTP_CHOICE: {
    subject: '{codes} to Twój kod potwierdzający: wybierz właściwy',
    or: '{one} lub {other}',
    choice: '{otp} dla rejestracji z {time}',
    lines: [
      'Ten adres zarejestrowano kilka razy, z różnymi hasłami. Wpisz kod własnej rejestracji, rozpoznasz ją po godzinie:',
      'Od wpisanego kodu zależy, które hasło otworzy konto. Kod działa jeden raz, przez {minutes} min.',
      'Jeśli któraś rejestracja nie jest Twoja, nie wpisuj jej kodu i nie podawaj go nikomu: osoba, która się zarejestrowała, zna hasło. Jeśli żadna nie jest Twoja, zignoruj tę wiadomość.',
    ],
  },
  ALREADY_REGISTERED: {
    subject: 'Masz już konto',
    lines: [
      'Ktoś, być może Ty, próbował zarejestrować ten adres. Konto z tym adresem już istnieje; nic się nie zmieniło.',
      'Jeśli nie pamiętasz hasła, poproś o nowe na stronie logowania.',
    ],
  },
  PASSWORD_RESET: {
    subject: 'Wybierz nowe hasło',
    lines: [
      'Ktoś, być może Ty, poprosił o nowe hasło dla tego adresu. Aby je wybrać, otwórz ten link:',
      '{link}',
      'Link działa jeden raz, przez {minutes} min. Jeśli to nie Ty, zignoruj tę wiadomość; hasło się nie zmieni.',
    ],
  },
  PASSWORD_RESET_DONE: {
    subject: 'Twoje hasło zostało zastąpione nowym',
    lines: [
      'Ustawiono nowe hasło za pomocą linku wysłanego na ten adres. Wszystkie sesje zostały zakończone.',
      'Jeśli to nie Ty, od razu poproś o nowe hasło.',
    ],
  },
  PASSWORD_CHANGED: {
    subject: 'Twoje hasło zostało zmienione',
    lines: [
      'Twoje hasło zostało zmienione, a wszystkie inne sesje zakończone.',
      'Jeśli to nie Ty, od razu poproś o nowe hasło.',
    ],
  },
  SESSION_ENDED_BY_REUSE: {
    subject: 'Sesja została zakończona dla Twojego bezpieczeństwa',
    lines: [
      'Token jednej z Twoich sesji został użyty po raz drugi, a tak dzieje się, gdy ktoś go skopiuje. Sesja została zakończona.',
      'Zaloguj się ponownie. Jeśli nie masz pewności, kto ma dostęp do Twoich urządzeń, zmień hasło.',
    ],
  },
  GLASS_BROKEN: {
    subject: 'Administrator otworzył Twoje dane',
    lines: [
      'Administrator serwisu zgłosił sytuację awaryjną ({time}) i przez {minutes} min może czytać jeden z Twoich zapisów.',
      'Zaloguj się, aby zobaczyć, który to zapis: wskazują go powiadomienia, a lista audytu podaje, kiedy go odczytano. Powód jest przechowywany dla audytorów.',
      'Jeśli Cię to dziwi, zapytaj operatora serwisu.',
    ],
  },
  IDENTITY_LINKED: {
    subject: 'Na Twoje konto można się teraz zalogować przez dostawcę tożsamości',
    lines: [
      'Na Twoje konto wpuszczono osobę, która zalogowała się u dostawcy {provider} z tym adresem, przez niego zweryfikowanym. Odtąd takie logowanie otwiera Twoje konto.',
      'Jeśli to nie Ty, zabezpiecz konto u dostawcy, odłącz tę tożsamość od swojego konta i zmień hasło.',
    ],
  },
  IDENTITY_UNLINKED: {
    subject: 'Od Twojego konta odłączono dostawcę tożsamości',
    lines: [
      'Logowanie u dostawcy {provider} nie otwiera już Twojego konta, a wszystkie inne sesje zostały zakończone.',
      'Jeśli to nie Ty, od razu poproś o nowe hasło.',
    ],
  },
  SECOND_FACTOR_ON: {
    subject: 'Włączono drugi składnik logowania',
    lines: [
      'Od teraz do zalogowania potrzebny jest kod z aplikacji uwierzytelniającej. Wszystkie inne sesje zostały zakończone.',
      'Przechowuj kody odzyskiwania tam, gdzie masz do nich dostęp bez telefonu: każdy otwiera konto jeden raz.',
      'Jeśli to nie Ty, od razu poproś o nowe hasło i napisz do operatora serwisu.',
    ],
  },
  SECOND_FACTOR_OFF: {
    subject: 'Wyłączono drugi składnik logowania',
    lines: [
      'Od teraz do otwarcia konta wystarczy samo hasło. Wszystkie inne sesje zostały zakończone.',
      'Jeśli to nie Ty, od razu poproś o nowe hasło, a potem ponownie włącz drugi składnik.',
    ],
  },
  SECOND_FACTOR_REMOVED: {
    subject: 'Administrator usunął drugi składnik logowania z Twojego konta',
    lines: [
      'Od teraz do otwarcia konta wystarczy samo hasło, dopóki znów nie skonfigurujesz drugiego składnika. Wszystkie sesje zostały zakończone.',
      'Jeśli to nie była Twoja prośba, od razu poproś o nowe hasło i napisz do operatora serwisu.',
    ],
  },
  RECOVERY_CODES_RENEWED: {
    subject: 'Masz nowe kody odzyskiwania',
    lines: [
      'Dla Twojego konta utworzono nowe kody odzyskiwania; stare są już nieważne.',
      'Jeśli to nie Ty, od razu poproś o nowe hasło.',
    ],
  },
  RECOVERY_CODE_USED: {
    subject: 'Do zalogowania użyto kodu odzyskiwania',
    lines: [
      'Ktoś zalogował się na Twoje konto, używając jednego z kodów odzyskiwania. Pozostało: {left}.',
      'Jeśli to nie Ty, od razu poproś o nowe hasło, a potem utwórz nowe kody odzyskiwania.',
    ],
  },
  ENTERPRISE_MODE_ON: {
    subject: 'Twoje konto działa teraz w trybie firmowym',
    lines: [
      'Od teraz Twoje konto podlega ostrzejszym zasadom: wymagany jest drugi składnik logowania, a sesje są krótsze.',
      'Jeśli nie masz jeszcze drugiego składnika, najpierw trzeba będzie go skonfigurować.',
    ],
  },
  ENTERPRISE_MODE_OFF: {
    subject: 'Twoje konto nie działa już w trybie firmowym',
    lines: [
      'Ostrzejsze zasady już nie dotyczą Twojego konta. Drugi składnik logowania pozostaje, dopóki go nie wyłączysz.',
      'Jeśli Cię to dziwi, napisz do operatora serwisu.',
    ],
  },
  NEW_DEVICE_LOGIN: {
    subject: 'Logowanie z nowego urządzenia',
    lines: [
      'Ktoś, być może Ty, zalogował się na Twoje konto z urządzenia i sieci, których dotąd na nim nie używano: {agent}, sieć {network}, {time}.',
      'Jeśli to nie Ty, od razu wybierz nowe hasło: to zakończy wszystkie sesje.',
    ],
  },
  DATA_EXPORTED: {
    subject: 'Utworzono kopię Twoich danych',
    lines: [
      'Utworzono archiwum wszystkich Twoich danych i pobrano je z Twojego konta.',
      'Jeśli to nie Ty, od razu zmień hasło.',
    ],
  },
  DATA_EXPORT_READY: {
    subject: 'Kopia Twoich danych jest gotowa',
    lines: [
      'Zamówione archiwum Twoich danych jest gotowe. Zaloguj się i pobierz je do {time}; potem zostanie usunięte.',
      'Jeśli to nie Ty, od razu zmień hasło.',
    ],
  },
  ACCOUNT_ERASED: {
    subject: 'Twoje konto zostało usunięte',
    lines: [
      'Twoje konto zostało usunięte zgodnie z Twoją prośbą: nikt nie może się na nie zalogować, a Twoje kody nic już nie pokazują. Zdjęcia i pozostałe pliki są właśnie usuwane.',
      'Tego nie można cofnąć. Z Twoim adresem można założyć nowe konto. To ostatnia wiadomość od nas.',
    ],
  },
  NOTIFICATION: {
    open: 'Aby zobaczyć więcej, zaloguj się.',
    answer: 'Przeczytaj i odpowiedz bez logowania:',
    when: 'Czas: {time}',
    page: 'Strona kodu, taka jak widzą ją inni; otwarta z tego linku nie liczy się jako skan:',
    more: 'Więcej tutaj:',
    unsubscribe: 'Rezygnacja z takich e-maili:',
    stopTitle: 'Zrezygnować z takich e-maili?',
    stopKind: 'E-maile tego rodzaju: {kind}.',
    kinds: {
      QR_CODE_SCANNED: 'skany Twoich kodów',
      LOST_CODE_SCANNED: 'skany zaginionego kodu',
      SCAN_LOCATED: 'podane miejsca',
      MESSAGE_RECEIVED: 'wiadomości w sprawie Twoich kodów',
      PIN_REJECTED: 'błędny PIN',
      GUEST_BOOK_SIGNED: 'wpisy w Twoich księgach gości',
      BIRTH_ANNIVERSARY: 'rocznice urodzin zmarłych',
      DEATH_ANNIVERSARY: 'rocznice śmierci',
      CODE_EXPIRING: 'kody, które wkrótce wygasną',
      CODE_EXPIRED: 'kody, które wygasły',
      DOCUMENT_EXPIRING: 'dokumenty, które wkrótce stracą ważność',
      DOCUMENT_EXPIRED: 'dokumenty, które tracą ważność',
      ANSWER_RECEIVED: 'odpowiedzi na Twoją wiadomość',
    },
    damagedTitle: 'Ten link jest uszkodzony',
    damagedText:
      'Jest niepełny albo został zmieniony. Otwórz go ponownie z e-maila, dokładnie tak, jak tam jest.',
    stop: 'Zrezygnuj z tych e-maili',
    stopped: 'Takie e-maile nie będą już wysyłane.',
  },
  ANSWER_RECEIVED: {
    subject: 'Odpowiedź na Twoją wiadomość',
    lines: [
      'Właściciel kodu, który został przez Ciebie zeskanowany, odpowiedział na Twoją wiadomość. Przeczytaj tutaj:',
      '{link}',
      'Link jest tylko dla Ciebie. Na tej stronie można też zrezygnować z dalszych e-maili.',
    ],
  },
};
