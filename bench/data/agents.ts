export const USER_AGENTS: readonly string[] = [
  ...createPhoneAgents(60),
  ...createDesktopAgents(24),
  'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
  'Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)',
  'curl/8.5.0',
  'WhatsApp/2.24.6.77 A',
  'facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)',
  '',
];

function createPhoneAgents(count: number): string[] {
  return Array.from({ length: count }, (_, index) =>
    index % 3 === 0
      ? `Mozilla/5.0 (iPhone; CPU iPhone OS 18_${index % 6} like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.${index % 6} Mobile/15E${100 + index} Safari/604.1`
      : `Mozilla/5.0 (Linux; Android ${11 + (index % 5)}; Pixel ${4 + (index % 6)}) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${110 + index}.0.0.0 Mobile Safari/537.36`,
  );
}

function createDesktopAgents(count: number): string[] {
  const systems = ['Windows NT 10.0; Win64; x64', 'Macintosh; Intel Mac OS X 10_15_7', 'X11; Linux x86_64'];
  return Array.from({ length: count }, (_, index) => {
    const system = systems[index % systems.length];
    return index % 2 === 0
      ? `Mozilla/5.0 (${system}) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${110 + index}.0.0.0 Safari/537.36`
      : `Mozilla/5.0 (${system}; rv:${110 + index}.0) Gecko/20100101 Firefox/${110 + index}.0`;
  });
}
