#!/bin/sh
# openssl: speed with its timers, random numbers, keys and a certificate.
. "$(dirname "$0")/needs"
case $1 in
setup) needs openssl ;;
main)
	set -e
	openssl speed -seconds 1 -bytes 1024 -evp sha256
	openssl rand -hex 32
	openssl genrsa -out key.pem 1024
	openssl req -new -x509 -key key.pem -subj /CN=test -days 3 -out cert.pem
	openssl x509 -in cert.pem -noout -fingerprint -dates
	openssl enc -aes-256-cbc -pbkdf2 -k secret -in key.pem -out key.enc
	sha256sum key.enc
	;;
check) grep -q Fingerprint stdout ;;
esac
