/** What people are told of: `title` in lists and pushes, `body` below it. */
export const notifications = {
  QR_CODE_SCANNED: { title: '“{code}” tarandı', body: '“{code}” adlı kodunuz tarandı.' },
  QR_CODE_SCANNED_NEAR: {
    title: '“{code}” tarandı',
    body: '“{code}” adlı kodunuz {place} yakınlarında tarandı.',
  },
  LOST_CODE_SCANNED: { title: 'Kayıp: “{code}” tarandı', body: '“{code}” adlı kodunuz tarandı.' },
  LOST_CODE_SCANNED_NEAR: {
    title: 'Kayıp: “{code}” tarandı',
    body: '“{code}” adlı kodunuz {place} yakınlarında tarandı.',
  },
  SCAN_LOCATED: {
    title: '“{code}” için konum bildirildi',
    body: '“{code}” adlı kodunuzu tarayan biri nerede olduğunu bildirdi.',
  },
  SCAN_LOCATED_NEAR: {
    title: '“{code}” için konum bildirildi',
    body: '“{code}” adlı kodunuzu tarayan biri nerede olduğunu bildirdi: {place} yakınlarında.',
  },
  MESSAGE_RECEIVED: {
    title: '“{code}” hakkında mesaj',
    body: '“{code}” adlı kodunuzu tarayan biri size yazdı.',
  },
  PIN_REJECTED: {
    title: '“{code}” için yanlış PIN',
    body: 'Biri “{code}” adlı kodunuz için birkaç kez yanlış PIN girdi. PIN ile korunan bilgiler gösterilmedi.',
  },
  GUEST_BOOK_SIGNED: {
    title: '{remembered}: ziyaretçi defterinde yeni yazı',
    body: '{remembered} için açılan ziyaretçi defterine biri yazdı. Onayladığınızda yazı orada görünür.',
  },
  CARETAKER_NAMED: {
    title: 'Bir anma plakasına yardım edebilirsiniz',
    body: 'Biri, bir anma plakasının metinleri, resimleri ve ziyaretçi defteri için yardım etmenize izin verdi. Plaka, başkalarının plakaları listenizde.',
  },
  BIRTH_ANNIVERSARY: {
    title: '{remembered}: anılacak bir doğum günü',
    body: '{remembered}, doğum tarihi: {date}.',
  },
  DEATH_ANNIVERSARY: {
    title: '{remembered}: anma günü',
    body: '{remembered}, ölüm tarihi: {date}.',
  },
  CODE_EXPIRING: {
    title: '“{code}” kodunun süresi yakında doluyor',
    body: '“{code}” adlı kodunuzun süresi {date} tarihinde doluyor. Sonra artık bir şey göstermeyecek.',
  },
  CODE_EXPIRED: {
    title: '“{code}” kodunun süresi doldu',
    body: '“{code}” adlı kodunuzun süresi doldu; kod artık bir şey göstermiyor.',
  },
  DOCUMENT_INFECTED: {
    title: '“{document}” belgesinin bir dosyası kaldırıldı',
    body: '“{document}” adlı belgenizin bir dosyasında kötü amaçlı yazılım bulundu ve dosya kaldırıldı. Lütfen dosyanın geldiği cihazı kontrol edin.',
  },
  DOCUMENT_EXPIRING: {
    title: '“{document}” belgesinin süresi yakında doluyor',
    body: '“{document}” adlı belgenizin son geçerlilik günü: {date}.',
  },
  DOCUMENT_EXPIRED: {
    title: '“{document}” belgesinin süresi doluyor: {date}',
    body: '“{document}” adlı belgenizin son geçerlilik günü: {date}.',
  },
  DOCUMENT_OPENED: {
    title: '“{document}” açıldı',
    body: 'Biri “{document}” adlı belgenizi açtı. Nasıl açıldığı, belgenin okunma listesinde yazar.',
  },
  DOCUMENT_GIVEN: {
    title: 'Size okumanız için bir belge verildi',
    body: 'Biri size okumanız için bir belge verdi. Belge, başkalarından gelen belgeler listenizde.',
  },
  PASSCODE_REJECTED: {
    title: '“{document}” için yanlış erişim kodları',
    body: 'Biri “{document}” adlı belgenizin bir bağlantısı için yanlış erişim kodları girdi. Belge açılmadı.',
  },
  SCANS_DIGEST: {
    title: { one: 'Kodlarınız bir kez tarandı', other: 'Kodlarınız {count} kez tarandı' },
    body: '{time} tarihinden beri: {codes}.',
  },
  SUBSCRIPTION_STARTED: {
    title: 'Aboneliğiniz başladı',
    body: 'Artık “{package}” paketine sahipsiniz. Teşekkür ederiz.',
  },
  SUBSCRIPTION_CHANGED: {
    title: 'Aboneliğiniz değiştirildi',
    body: 'Artık “{package}” paketine sahipsiniz.',
  },
  SUBSCRIPTION_ENDING: {
    title: 'Aboneliğiniz {date} tarihinde sona eriyor',
    body: '“{package}” paketi, ödenmiş dönemle birlikte sona erer; o zamana kadar onu sürdürebilirsiniz. Kodlarınız her durumda çalışmaya devam eder.',
  },
  SUBSCRIPTION_ENDED: {
    title: 'Aboneliğiniz sona erdi',
    body: '“{package}” paketi sona erdi. Basılmış kodlar çalışmaya devam eder; ücretsiz paketi aşan kısım bundan sonra yalnızca okunabilir.',
  },
  SUBSCRIPTION_PAUSED: {
    title: 'Aboneliğiniz duraklatıldı',
    body: '“{package}” paketi duraklatıldı. Basılmış kodlar çalışmaya devam eder.',
  },
  SUBSCRIPTION_RESUMED: {
    title: 'Aboneliğiniz devam ediyor',
    body: '“{package}” paketine yeniden sahipsiniz.',
  },
  TRIAL_ENDING: {
    title: 'Deneme süreniz {date} tarihinde sona eriyor',
    body: 'Daha önce iptal etmezseniz bu tarihten sonra “{package}” paketi ücretlendirilir.',
  },
  PAYMENT_RECEIVED: {
    title: '{amount} tutarındaki ödemenizi aldık',
    body: 'Teşekkür ederiz. “{package}” için {amount} ödediniz, {period}. Tüm faturalarınız hesabınızda, “Abonelik” bölümündedir.',
  },
  PAYMENT_FAILED: {
    title: '{amount} tutarındaki ödemeniz başarısız oldu',
    body: '“{package}” için {amount} tahsil edilemedi. Lütfen hesabınızdaki “Abonelik” bölümünde ödeme yönteminizi denetleyin. Basılmış kodlar çalışmaya devam eder.',
  },
  PAYMENT_ACTION_NEEDED: {
    title: 'Lütfen {amount} tutarındaki ödemeyi onaylayın',
    body: 'Bankanız, “{package}” için {amount} tutarındaki ödemeyi onaylamanızı istiyor. Faturayı hesabınızdaki “Abonelik” bölümünde açın.',
  },
  PAYMENT_REFUNDED: {
    title: '{amount} iade edildi',
    body: '“{package}” için {amount} size iade edildi. Tutarın banka hesabınızda görünmesi birkaç gün sürebilir.',
  },
  PAYMENT_DISPUTED: {
    title: '{amount} tutarındaki bir ödemeye itiraz edildi',
    body: 'Bankanız “{package}” için ödenen {amount} tutarını geri istiyor. Bu bir yanlışlıksa lütfen bankanıza bildirin.',
  },
  SCANS_DIGEST_NEAR: {
    title: { one: 'Kodlarınız bir kez tarandı', other: 'Kodlarınız {count} kez tarandı' },
    body: '{time} tarihinden beri: {codes}. Son yer: {place} yakınları.',
  },
  NEW_LOGIN: {
    title: 'Yeni oturum açma',
    body: 'Hesabınızda oturum açıldı. Siz değilseniz parolanızı değiştirin ve o oturumu sonlandırın.',
  },
  PASSWORD_CHANGED: {
    title: 'Parolanız değiştirildi',
    body: 'Diğer tüm oturumlar sonlandırıldı. Siz değilseniz hemen yeni bir parola isteyin.',
  },
  SECOND_FACTOR_ON: {
    title: 'İki adımlı doğrulama açıldı',
    body: 'Diğer tüm oturumlar sonlandırıldı. Siz değilseniz parolanızı değiştirin.',
  },
  SECOND_FACTOR_OFF: {
    title: 'İki adımlı doğrulama kapatıldı',
    body: 'Diğer tüm oturumlar sonlandırıldı. Siz değilseniz parolanızı değiştirin.',
  },
  ROLE_CHANGED: {
    title: 'Rolünüz değiştirildi',
    body: 'Bir yönetici rolünüzü değiştirdi. Yeni rolünüz: {role}.',
  },
  GLASS_BROKEN: {
    title: 'Bir yönetici bir kaydınızı açtı',
    body: 'Bildirilen bir acil durum nedeniyle kayıt on beş dakika boyunca okunabilir. Kimin neyi okuduğu denetim listenizdedir.',
  },
};
