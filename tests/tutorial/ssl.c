/* TLS between two ends in one thread, over memory: the server writes 31 messages of 101 bytes, the client reads each by one SSL_read. */
#include <openssl/evp.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <stdio.h>
#include <stdlib.h>

enum { MESSAGES = 31, SIZE = 101 };

static void use_own_certificate(SSL_CTX *c)
{
	EVP_PKEY *key = EVP_EC_gen("P-256");
	X509 *x = X509_new();

	X509_gmtime_adj(X509_getm_notBefore(x), 0);
	X509_gmtime_adj(X509_getm_notAfter(x), 3600);
	X509_set_pubkey(x, key);
	X509_sign(x, key, EVP_sha256());
	SSL_CTX_use_certificate(c, x);
	SSL_CTX_use_PrivateKey(c, key);
}

int main(void)
{
	SSL_CTX *server_context = SSL_CTX_new(TLS_server_method()), *client_context = SSL_CTX_new(TLS_client_method());
	BIO *to_client, *to_server;
	SSL *server, *client;
	char buf[1024] = "";

	use_own_certificate(server_context);
	server = SSL_new(server_context);
	client = SSL_new(client_context);
	BIO_new_bio_pair(&to_client, 65536, &to_server, 65536);
	SSL_set_bio(server, to_client, to_client);
	SSL_set_bio(client, to_server, to_server);
	SSL_set_accept_state(server);
	SSL_set_connect_state(client);
	for (int i = 0; i < 20 && !(SSL_is_init_finished(server) && SSL_is_init_finished(client)); i++) {
		SSL_do_handshake(client);
		SSL_do_handshake(server);
	}
	for (int i = 0; i < MESSAGES; i++) {
		if (SSL_write(server, buf, SIZE) != SIZE || SSL_read(client, buf, sizeof(buf)) != SIZE)
			return 1;
	}
	printf("reads=%d bytes=%d\n", MESSAGES, MESSAGES * SIZE);
	return 0;
}
