import type { Catalogue } from '../catalogue.ts';

export const memorial: Catalogue['memorial'] = {
  born: 'जन्म',
  died: 'निधन',
  storyTitle: 'जीवन की कहानी',
  storyMore: 'पूरी कहानी पढ़ें',
  storyPart: 'भाग {part} / {count}',
  storyNext: 'आगे पढ़ें',
  storyBefore: 'पिछला भाग',
  backToPage: 'पेज पर वापस जाएँ',
  placesTitle: 'स्थान',
  placeKinds: {
    BIRTH: 'जन्मस्थान',
    HOME: 'घर',
    DEATH: 'निधन का स्थान',
    GRAVE: 'अंतिम विश्राम स्थल',
  },
  guestBookTitle: 'अतिथि पुस्तिका',
  guestBookMore: 'सभी संदेश',
  guestBookOlder: 'पुराने संदेश',
  guestBookNameless: 'एक आगंतुक',
  signTitle: 'अतिथि पुस्तिका में लिखें',
  signText: 'आप जो लिखेंगे, उसे पहले परिवार पढ़ेगा। उनकी सहमति के बाद यहाँ आने वाले सभी लोग उसे पढ़ सकेंगे।',
  signLabel: 'आपका संदेश',
  signEmpty: 'कृपया कुछ लिखें। अभी कुछ नहीं भेजा गया है।',
  signClosed: 'कुछ नहीं भेजा गया। इस अतिथि पुस्तिका में संदेश स्वीकार नहीं किए जाते।',
  signDone: 'धन्यवाद। परिवार की सहमति के बाद आपका संदेश यहाँ पढ़ा जा सकेगा।',
};
