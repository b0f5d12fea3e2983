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
  GUEST_BOOK_SIGNED: {
    title: '{remembered} की अतिथि पुस्तिका में संदेश',
    body: 'किसी आगंतुक ने {remembered} की अतिथि पुस्तिका में लिखा है। आपकी स्वीकृति के बाद यह वहाँ दिखेगा।',
  },
  BIRTH_ANNIVERSARY: {
    title: '{remembered}: जन्मदिन की याद',
    body: '{remembered} की जन्म तिथि: {date}।',
  },
  DEATH_ANNIVERSARY: {
    title: '{remembered}: स्मृति दिवस',
    body: '{remembered} की निधन तिथि: {date}।',
  },
  CODE_EXPIRING: {
    title: '“{code}” की अवधि जल्द पूरी होगी',
    body: 'आपके कोड “{code}” की अवधि {date} को पूरी होगी। उसके बाद यह कुछ नहीं दिखाएगा।',
  },
  CODE_EXPIRED: {
    title: '“{code}” की अवधि पूरी हो गई',
    body: 'आपके कोड “{code}” की अवधि पूरी हो गई है। अब यह कुछ नहीं दिखाता।',
  },
  DOCUMENT_INFECTED: {
    title: '“{document}” की एक फ़ाइल हटा दी गई',
    body: 'आपके दस्तावेज़ “{document}” की एक फ़ाइल में मैलवेयर मिला, इसलिए फ़ाइल हटा दी गई। कृपया उस डिवाइस की जाँच करें जिससे वह आई थी।',
  },
  DOCUMENT_EXPIRING: {
    title: '“{document}” की वैधता जल्द समाप्त होगी',
    body: 'आपका दस्तावेज़ “{document}” {date} तक मान्य है।',
  },
  DOCUMENT_EXPIRED: {
    title: '“{document}” की वैधता {date} को समाप्त होती है',
    body: 'आपका दस्तावेज़ “{document}” {date} तक मान्य है।',
  },
  DOCUMENT_OPENED: {
    title: '“{document}” खोला गया',
    body: 'किसी ने आपका दस्तावेज़ “{document}” खोला। कैसे, यह दस्तावेज़ की पठन सूची में लिखा है।',
  },
  DOCUMENT_GIVEN: {
    title: 'आपको पढ़ने के लिए एक दस्तावेज़ मिला है',
    body: 'किसी ने आपको पढ़ने के लिए एक दस्तावेज़ दिया है। यह दूसरों से मिले दस्तावेज़ों की आपकी सूची में है।',
  },
  PASSCODE_REJECTED: {
    title: '“{document}” के लिए ग़लत पासकोड',
    body: 'किसी ने आपके दस्तावेज़ “{document}” के लिंक पर कई बार ग़लत पासकोड डाला। दस्तावेज़ नहीं खोला गया।',
  },
  SCANS_DIGEST: {
    title: { one: 'आपके कोड {count} बार स्कैन हुए', other: 'आपके कोड {count} बार स्कैन हुए' },
    body: '{time} से अब तक: {codes}।',
  },
  SUBSCRIPTION_STARTED: {
    title: 'आपकी सदस्यता शुरू हो गई',
    body: 'अब आपके पास “{package}” पैकेज है। धन्यवाद।',
  },
  SUBSCRIPTION_CHANGED: {
    title: 'आपकी सदस्यता बदली गई',
    body: 'अब आपके पास “{package}” पैकेज है।',
  },
  SUBSCRIPTION_ENDING: {
    title: 'आपकी सदस्यता {date} को समाप्त होगी',
    body: '“{package}” पैकेज भुगतान की गई अवधि के साथ समाप्त होगा; तब तक आप उसे जारी रख सकते हैं। आपके कोड हर हाल में काम करते रहेंगे।',
  },
  SUBSCRIPTION_ENDED: {
    title: 'आपकी सदस्यता समाप्त हो गई',
    body: '“{package}” पैकेज समाप्त हो गया। छपे हुए कोड काम करते रहेंगे; जो मुफ़्त पैकेज से ज़्यादा है, उसे अब केवल पढ़ा जा सकता है।',
  },
  SUBSCRIPTION_PAUSED: {
    title: 'आपकी सदस्यता रुकी हुई है',
    body: '“{package}” पैकेज रुका हुआ है। छपे हुए कोड काम करते रहेंगे।',
  },
  SUBSCRIPTION_RESUMED: {
    title: 'आपकी सदस्यता फिर से जारी है',
    body: '“{package}” पैकेज फिर से आपके पास है।',
  },
  TRIAL_ENDING: {
    title: 'आपकी परीक्षण अवधि {date} को समाप्त होगी',
    body: 'उसके बाद “{package}” पैकेज का शुल्क लगेगा, जब तक आप उसे पहले रद्द न करें।',
  },
  PAYMENT_RECEIVED: {
    title: 'हमें आपका {amount} का भुगतान मिला',
    body: 'धन्यवाद। आपने “{package}” के लिए {amount} का भुगतान किया, {period}। आपके सभी बिल आपके खाते में “सदस्यता” के अंतर्गत हैं।',
  },
  PAYMENT_FAILED: {
    title: 'आपका {amount} का भुगतान विफल रहा',
    body: '“{package}” के लिए {amount} नहीं लिए जा सके। कृपया अपने खाते में “सदस्यता” के अंतर्गत भुगतान का तरीक़ा जाँचें। छपे हुए कोड काम करते रहेंगे।',
  },
  PAYMENT_ACTION_NEEDED: {
    title: 'कृपया {amount} के भुगतान की पुष्टि करें',
    body: 'आपका बैंक चाहता है कि आप “{package}” के लिए {amount} के भुगतान की पुष्टि करें। अपने खाते में “सदस्यता” के अंतर्गत बिल खोलें।',
  },
  PAYMENT_REFUNDED: {
    title: '{amount} वापस किए गए',
    body: 'हमने “{package}” के लिए {amount} आपको वापस किए। बैंक खाते में दिखने में कुछ दिन लग सकते हैं।',
  },
  PAYMENT_DISPUTED: {
    title: '{amount} के भुगतान पर विवाद',
    body: 'आपका बैंक “{package}” के लिए {amount} वापस माँग रहा है। अगर यह ग़लती है, तो कृपया अपने बैंक को बताएँ।',
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
