import X509
