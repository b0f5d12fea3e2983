export const SIGN_IN_PAGE = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Identity provider emulator</title></head>
<body><h1>Identity provider emulator</h1>
<p><strong>This is not Google, and nobody is checked here.</strong> No identity provider is configured, so this page of your own machine emulates one, for trying things out: it believes any address.</p>
<form method="post"><p><label>Email address to sign in with<br><input name="email" type="email" required maxlength="250" autofocus></label></p>
<p><label><input name="verified" type="checkbox" value="yes" checked> The provider has verified the address</label></p>
<p><button>Sign in</button></p></form>
</body></html>
`;
