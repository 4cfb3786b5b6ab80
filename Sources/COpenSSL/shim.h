#ifndef SECRETVAULT_COPENSSL_SHIM_H
#define SECRETVAULT_COPENSSL_SHIM_H

#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/kdf.h>
#include <openssl/params.h>

// EVP_CIPHER_CTX_ctrl takes a void pointer that it only reads for this command; the shim keeps the caller's bytes const.
static inline int secretvault_set_gcm_tag(EVP_CIPHER_CTX *context, const unsigned char *tag, int count) {
  return EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, count, (void *)tag);
}

// The parameter names are string macros with casts that Swift does not import, and OSSL_PARAM keeps pointers into the
// caller's frame, which is easier to get right in C.
static inline int secretvault_mac_set_digest(EVP_MAC_CTX *context, const char *digest) {
  OSSL_PARAM parameters[2];
  parameters[0] = OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_DIGEST, (char *)digest, 0);
  parameters[1] = OSSL_PARAM_construct_end();
  return EVP_MAC_CTX_set_params(context, parameters);
}

// libcrypto leaves what it computed on the stack, where it stays until some other call happens to overwrite it. Only C can
// claim a run of the stack and wipe it.
__attribute__((noinline)) static void secretvault_wipe_stack(void) {
  unsigned char frame[64 * 1024];
  OPENSSL_cleanse(frame, sizeof frame);
}

// The same reason as above: scrypt's parameters are an OSSL_PARAM array of pointers into this frame.
static inline int secretvault_scrypt(EVP_KDF_CTX *context, const unsigned char *passphrase, size_t passphrase_count,
                                     const unsigned char *salt, size_t salt_count, uint64_t n, uint32_t r, uint32_t p,
                                     uint64_t maximum_memory, unsigned char *output, size_t output_count) {
  OSSL_PARAM parameters[7];
  parameters[0] = OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_PASSWORD, (void *)passphrase, passphrase_count);
  parameters[1] = OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_SALT, (void *)salt, salt_count);
  parameters[2] = OSSL_PARAM_construct_uint64(OSSL_KDF_PARAM_SCRYPT_N, &n);
  parameters[3] = OSSL_PARAM_construct_uint32(OSSL_KDF_PARAM_SCRYPT_R, &r);
  parameters[4] = OSSL_PARAM_construct_uint32(OSSL_KDF_PARAM_SCRYPT_P, &p);
  parameters[5] = OSSL_PARAM_construct_uint64(OSSL_KDF_PARAM_SCRYPT_MAXMEM, &maximum_memory);
  parameters[6] = OSSL_PARAM_construct_end();
  int result = EVP_KDF_derive(context, output, output_count, parameters);
  secretvault_wipe_stack();
  return result;
}

#endif
