/** What people are told of: `title` in lists and pushes, `body` below it. */
export const notifications = {
  QR_CODE_SCANNED: { title: '“{code}” स्कैन हुआ', body: 'आपका कोड “{code}” स्कैन किया गया।' },
  QR_CODE_SCANNED_NEAR: {
    title: '“{code}” स्कैन हुआ',
    body: 'आपका कोड “{code}” {place} के पास स्कैन किया गया।',
  },
  LOST_CODE_SCANNED: { title: 'खोया हुआ: “{code}” स्कैन हुआ', body: 'आपका कोड “{code}” स्कैन किया गया।' },
  LOST_CODE_SCANNED_NEAR: {
    title: 'खोया हुआ: “{code}” स्कैन हुआ',
    body: 'आपका कोड “{code}” {place} के पास स्कैन किया गया।',
  },
  SCAN_LOCATED: {
    title: '“{code}” के लिए एक लोकेशन',
    body: 'आपका कोड “{code}” स्कैन करने वाले व्यक्ति ने अपनी लोकेशन बताई है।',
  },
  SCAN_LOCATED_NEAR: {
    title: '“{code}” के लिए एक लोकेशन',
    body: 'आपका कोड “{code}” स्कैन करने वाले व्यक्ति ने अपनी लोकेशन बताई है: {place} के पास।',
  },
  MESSAGE_RECEIVED: {
    title: '“{code}” के बारे में संदेश',
    body: 'आपका कोड “{code}” स्कैन करने वाले व्यक्ति ने आपको संदेश भेजा है।',
  },
  PIN_REJECTED: {
    title: '“{code}” के लिए ग़लत PIN',
    body: 'किसी ने आपके कोड “{code}” के लिए कई बार ग़लत PIN डाला। PIN से सुरक्षित जानकारी नहीं दिखाई गई।',
  },
  CODE_EXPIRING: {
    title: '“{code}” की अवधि जल्द पूरी होगी',
    body: 'आपके कोड “{code}” की अवधि {date} को पूरी होगी। उसके बाद यह कुछ नहीं दिखाएगा।',
  },
  CODE_EXPIRED: {
    title: '“{code}” की अवधि पूरी हो गई',
    body: 'आपके कोड “{code}” की अवधि पूरी हो गई है। अब यह कुछ नहीं दिखाता।',
  },
  SCANS_DIGEST: {
    title: { one: 'आपके कोड {count} बार स्कैन हुए', other: 'आपके कोड {count} बार स्कैन हुए' },
    body: '{time} से अब तक: {codes}।',
  },
  SCANS_DIGEST_NEAR: {
    title: { one: 'आपके कोड {count} बार स्कैन हुए', other: 'आपके कोड {count} बार स्कैन हुए' },
    body: '{time} से अब तक: {codes}। सबसे नई जगह: {place} के पास।',
  },
  NEW_LOGIN: {
    title: 'नया लॉग इन',
    body: 'किसी ने आपके खाते में लॉग इन किया। अगर यह आप नहीं थे, तो पासवर्ड बदलें और वह सत्र समाप्त करें।',
  },
  PASSWORD_CHANGED: {
    title: 'आपका पासवर्ड बदला गया',
    body: 'बाक़ी सभी सत्र समाप्त कर दिए गए। अगर यह आपने नहीं किया, तो तुरंत नया पासवर्ड माँगें।',
  },
  SECOND_FACTOR_ON: {
    title: 'दो-चरणीय सत्यापन चालू किया गया',
    body: 'बाक़ी सभी सत्र समाप्त कर दिए गए। अगर यह आपने नहीं किया, तो अपना पासवर्ड बदलें।',
  },
  SECOND_FACTOR_OFF: {
    title: 'दो-चरणीय सत्यापन बंद किया गया',
    body: 'बाक़ी सभी सत्र समाप्त कर दिए गए। अगर यह आपने नहीं किया, तो अपना पासवर्ड बदलें।',
  },
  ROLE_CHANGED: {
    title: 'आपकी भूमिका बदली गई',
    body: 'एक प्रशासक ने आपकी भूमिका बदली है। नई भूमिका: {role}।',
  },
  GLASS_BROKEN: {
    title: 'एक प्रशासक ने आपका एक रिकॉर्ड खोला',
    body: 'आपात स्थिति बताए जाने पर इसे पंद्रह मिनट तक पढ़ा जा सकता है। किसने क्या पढ़ा, यह आपकी ऑडिट सूची में है।',
  },
};
