// The types of lower floors that users handle, so that one import of SecretVault is enough.
@_exported public import struct SecretMemory.SecretBytes
@_exported public import struct SecretMemory.SecretMemoryError
