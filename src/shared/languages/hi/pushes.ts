export const pushes = {
  QR_CODE_SCANNED: 'आपका एक कोड स्कैन हुआ',
  LOST_CODE_SCANNED: 'खोया हुआ: आपका एक कोड स्कैन हुआ',
  SCAN_LOCATED: 'आपका एक कोड स्कैन करने वाले व्यक्ति ने अपनी लोकेशन बताई है',
  MESSAGE_RECEIVED: 'आपका एक कोड स्कैन करने वाले व्यक्ति ने आपको संदेश भेजा है',
  PIN_REJECTED: 'आपके एक कोड के लिए ग़लत PIN',
  CODE_EXPIRING: 'आपके एक कोड की अवधि जल्द पूरी होगी',
  CODE_EXPIRED: 'आपके एक कोड की अवधि पूरी हो गई',
  DOCUMENT_OPENED: 'आपका एक दस्तावेज़ खोला गया',
  PASSCODE_REJECTED: 'आपके एक दस्तावेज़ के लिए ग़लत पासकोड',
  ABOUT_A_CODE: 'आपके एक कोड के बारे में नई सूचना',
  ABOUT_SUBSCRIPTION: 'आपकी सदस्यता के बारे में नई सूचना',
  SUBSCRIPTION_NEEDS_YOU: 'आपकी सदस्यता पर ध्यान दें',
};
