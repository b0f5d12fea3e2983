import type { Catalogue } from '../catalogue.ts';

/** Mails: their subject, and one paragraph a line. Times are put in as the reader's language writes them, in UTC. */
export const mails: Catalogue['mails'] = {
  OTP: {
    subject: 'Onay kodunuz: {otp}',
    lines: [
      'Onay kodunuz: {otp}',
      'Kod, {time} tarihli kayıt ve o sırada verilen parola içindir. Bir kez çalışır, {minutes} dakika geçerlidir.',
      'O sırada kayıt olmadıysanız bu e-postayı dikkate almayın ve kodu kimseye vermeyin: kodu bilen, sizin adresinizle hesap açabilir.',
    ],
  },
  OTP_CHOICE: {
    subject: 'Onay kodunuz {codes}: lütfen seçin',
    or: '{one} veya {other}',
    choice: '{otp}, {time} tarihli kayıt için',
    lines: [
      'Bu adresle, farklı parolalarla birkaç kez kayıt yapıldı. Saatine bakarak kendi kaydınızın kodunu girin:',
      'Hesabı hangi parolanın açacağını girdiğiniz kod belirler. Kod bir kez çalışır, {minutes} dakika geçerlidir.',
      'Bir kayıt size ait değilse kodunu girmeyin ve kimseye vermeyin: o kaydı yapan kişi parolayı bilir. Hiçbiri size ait değilse bu e-postayı dikkate almayın.',
    ],
  },
  ALREADY_REGISTERED: {
    subject: 'Zaten bir hesabınız var',
    lines: [
      'Biri, belki siz, bu adresle kayıt olmak istedi. Bu adresin zaten bir hesabı var; hiçbir şey değişmedi.',
      'Parolanızı unuttuysanız oturum açma sayfasından yeni bir parola isteyin.',
    ],
  },
  PASSWORD_RESET: {
    subject: 'Yeni bir parola seçin',
    lines: [
      'Biri, belki siz, bu adres için yeni bir parola istedi. Parolayı seçmek için bu bağlantıyı açın:',
      '{link}',
      'Bağlantı bir kez çalışır, {minutes} dakika geçerlidir. Siz istemediyseniz bu e-postayı dikkate almayın; parolanız aynı kalır.',
    ],
  },
  PASSWORD_RESET_DONE: {
    subject: 'Parolanız yenilendi',
    lines: [
      'Parolanız, bu adrese gönderilen bir bağlantı ile yenilendi ve tüm oturumlar sonlandırıldı.',
      'Siz değilseniz hemen yeni bir parola isteyin.',
    ],
  },
  PASSWORD_CHANGED: {
    subject: 'Parolanız değiştirildi',
    lines: [
      'Parolanız değiştirildi ve diğer tüm oturumlar sonlandırıldı.',
      'Siz değilseniz hemen yeni bir parola isteyin.',
    ],
  },
  SESSION_ENDED_BY_REUSE: {
    subject: 'Güvenliğiniz için bir oturum sonlandırıldı',
    lines: [
      'Oturumlarınızdan birinin anahtarı ikinci kez kullanıldı; bu, anahtar kopyalandığında olur. Oturum sonlandırıldı.',
      'Yeniden oturum açın. Cihazlarınıza kimin erişebildiğinden emin değilseniz parolanızı değiştirin.',
    ],
  },
  GLASS_BROKEN: {
    subject: 'Bir yönetici bir kaydınızı açtı',
    lines: [
      'Bu hizmetin bir yöneticisi acil durum bildirdi ({time}) ve bir kaydınızı {minutes} dakika boyunca okuyabilir.',
      'Hangisi olduğunu görmek için oturum açın: bildirimleriniz kaydı belirtir, denetim listeniz ne zaman okunduğunu gösterir. Gerekçe, denetçiler için saklanır.',
      'Bunu beklemiyorsanız hizmeti işleten kuruluşa sorun.',
    ],
  },
  IDENTITY_LINKED: {
    subject: 'Hesabınız artık bir kimlik sağlayıcısıyla da açılıyor',
    lines: [
      '{provider} üzerinde, orada doğrulanmış olan bu adresle oturum açan biri hesabınıza girdi. Bundan böyle o oturum hesabınızı açar.',
      'Siz değilseniz kimlik sağlayıcısındaki hesabınızı güvenceye alın, bu kimliği hesabınızdan kaldırın ve parolanızı değiştirin.',
    ],
  },
  IDENTITY_UNLINKED: {
    subject: 'Bir kimlik sağlayıcısı hesabınızdan kaldırıldı',
    lines: [
      '{provider} üzerinden oturum açmak artık hesabınızı açmaz. Diğer tüm oturumlar sonlandırıldı.',
      'Siz değilseniz hemen yeni bir parola isteyin.',
    ],
  },
  SECOND_FACTOR_ON: {
    subject: 'İki adımlı doğrulama açıldı',
    lines: [
      'Bundan böyle oturum açmak için doğrulama uygulamanızdan bir kod gerekir. Diğer tüm oturumlar sonlandırıldı.',
      'Kurtarma kodlarını telefonunuz olmadan da bulabileceğiniz bir yerde saklayın: her biri hesabı bir kez açar.',
      'Siz değilseniz hemen yeni bir parola isteyin ve hizmeti işleten kuruluşa yazın.',
    ],
  },
  SECOND_FACTOR_OFF: {
    subject: 'İki adımlı doğrulama kapatıldı',
    lines: [
      'Bundan böyle hesabınızı açmak için parola yeterlidir. Diğer tüm oturumlar sonlandırıldı.',
      'Siz değilseniz hemen yeni bir parola isteyin, sonra iki adımlı doğrulamayı yeniden açın.',
    ],
  },
  SECOND_FACTOR_REMOVED: {
    subject: 'Bir yönetici hesabınızdaki iki adımlı doğrulamayı kaldırdı',
    lines: [
      'İki adımlı doğrulamayı yeniden kurana kadar hesabınızı açmak için parola yeterlidir. Tüm oturumlar sonlandırıldı.',
      'Bunu siz istemediyseniz hemen yeni bir parola isteyin ve hizmeti işleten kuruluşa yazın.',
    ],
  },
  RECOVERY_CODES_RENEWED: {
    subject: 'Yeni kurtarma kodlarınız var',
    lines: [
      'Hesabınız için yeni kurtarma kodları oluşturuldu; eskileri artık geçersiz.',
      'Siz değilseniz hemen yeni bir parola isteyin.',
    ],
  },
  RECOVERY_CODE_USED: {
    subject: 'Oturum açmak için bir kurtarma kodu kullanıldı',
    lines: [
      'Biri, kurtarma kodlarınızdan biriyle hesabınızda oturum açtı. Kalan kod sayısı: {left}.',
      'Siz değilseniz hemen yeni bir parola isteyin, sonra yeni kurtarma kodları oluşturun.',
    ],
  },
  ENTERPRISE_MODE_ON: {
    subject: 'Hesabınız artık kurumsal modda',
    lines: [
      'Bundan böyle hesabınız için daha sıkı kurallar geçerli: iki adımlı doğrulama gerekir ve oturumlar daha kısadır.',
      'İki adımlı doğrulamayı henüz kurmadıysanız önce kurmanız istenir.',
    ],
  },
  ENTERPRISE_MODE_OFF: {
    subject: 'Hesabınız artık kurumsal modda değil',
    lines: [
      'Daha sıkı kurallar hesabınız için artık geçerli değil. İki adımlı doğrulama, siz kapatana kadar açık kalır.',
      'Bunu beklemiyorsanız hizmeti işleten kuruluşa yazın.',
    ],
  },
  NEW_DEVICE_LOGIN: {
    subject: 'Yeni bir cihazdan oturum açıldı',
    lines: [
      'Biri, belki siz, hesabınızda daha önce kullanılmamış bir cihaz ve ağdan oturum açtı: {agent}, ağ {network}, {time}.',
      'Siz değilseniz hemen yeni bir parola seçin: bu, tüm oturumları sonlandırır.',
    ],
  },
  DATA_EXPORTED: {
    subject: 'Verilerinizin bir kopyası oluşturuldu',
    lines: [
      'Tüm verilerinizin arşivi oluşturuldu ve hesabınızdan indirildi.',
      'Siz değilseniz parolanızı hemen değiştirin.',
    ],
  },
  DATA_EXPORT_READY: {
    subject: 'Verilerinizin kopyası hazır',
    lines: [
      'İstediğiniz veri arşivi hazır. Oturum açıp arşivi indirin. Son tarih: {time}; sonra arşiv silinir.',
      'Siz istemediyseniz parolanızı hemen değiştirin.',
    ],
  },
  ACCOUNT_ERASED: {
    subject: 'Hesabınız silindi',
    lines: [
      'Hesabınız isteğiniz üzerine silindi: artık kimse oturum açamaz ve kodlarınız bir şey göstermez. Fotoğraflar ve diğer dosyalar da siliniyor.',
      'Bu işlem geri alınamaz. Adresinizle yeni bir hesap açılabilir. Bu, bizden aldığınız son e-postadır.',
    ],
  },
  NOTIFICATION: {
    open: 'Daha fazlasını görmek için oturum açın.',
    answer: 'Oturum açmadan okuyup yanıtlayın:',
    when: 'Zaman: {time}',
    page: 'Kodun başkalarının gördüğü sayfası; bu bağlantıyla açıldığında tarama sayılmaz:',
    more: 'Daha fazlası burada:',
    unsubscribe: 'Bu tür e-postaları artık almamak için:',
    stopTitle: 'Bu tür e-postalar durdurulsun mu?',
    stopKind: 'Bu türden e-postalar: {kind}.',
    kinds: {
      QR_CODE_SCANNED: 'kodlarınızın taranması',
      LOST_CODE_SCANNED: 'kayıp bir kodun taranması',
      SCAN_LOCATED: 'bildirilen konumlar',
      MESSAGE_RECEIVED: 'kodlarınız hakkında mesajlar',
      PIN_REJECTED: 'yanlış PIN girişleri',
      GUEST_BOOK_SIGNED: 'ziyaretçi defterlerinizdeki yazılar',
      BIRTH_ANNIVERSARY: 'andığınız kişilerin doğum günleri',
      DEATH_ANNIVERSARY: 'ölüm yıl dönümleri',
      CODE_EXPIRING: 'süresi yakında dolan kodlar',
      CODE_EXPIRED: 'süresi dolan kodlar',
      DOCUMENT_EXPIRING: 'süresi yakında dolan belgeler',
      DOCUMENT_EXPIRED: 'süresi dolmakta olan belgeler',
      ANSWER_RECEIVED: 'mesajınıza gelen yanıtlar',
    },
    damagedTitle: 'Bu bağlantı bozuk',
    damagedText: 'Bağlantı eksik veya değiştirilmiş. E-postadan, orada olduğu gibi yeniden açın.',
    stop: 'Bu e-postaları durdur',
    stopped: 'Artık bu tür e-posta almayacaksınız.',
  },
  ANSWER_RECEIVED: {
    subject: 'Mesajınıza yanıt geldi',
    lines: [
      'Taradığınız kodun sahibi size yanıt verdi. Buradan okuyun:',
      '{link}',
      'Bağlantı yalnızca size özeldir. O sayfada artık e-posta istemediğinizi de belirtebilirsiniz.',
    ],
  },
};
